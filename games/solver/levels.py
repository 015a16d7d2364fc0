"""Computer opponents: how often each plays the best move, which everyone may know."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from games.rules.collapse import CollapseState
from games.rules.contract import Game, Move, S
from games.solver.budget import NODES
from games.solver.solving import solve


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent that plays the best move `perfect` times out of `of`, else any legal one."""

    slug: str
    name: str
    perfect: int
    of: int

    @property
    def sentence(self) -> str:
        if self.perfect == self.of:
            return "Plays every move perfectly."
        moves = "move" if self.perfect == 1 else "moves"
        return f"Plays perfectly {self.perfect} {moves} of {self.of}, and the rest at random."


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        level.slug: level
        for level in (
            Level("beginner", "Beginner", 1, 5),
            Level("casual", "Casual", 1, 2),
            Level("skilled", "Skilled", 4, 5),
            Level("perfect", "Perfect", 1, 1),
        )
    }
)


LARGEST_GRID = 16
"""A larger one is not solved within the budget from its beginning."""


def can_play(state: object) -> bool:
    """Whether all that may follow is solved: else what a level says of itself would be untrue."""
    return not (isinstance(state, CollapseState) and len(state.cells) > LARGEST_GRID)


def choose(game: Game[S], state: S, level: Level, rng: Random, nodes: int = NODES) -> Move:
    """The move of an opponent in a running match."""
    moves = game.legal_moves(state)
    if len(moves) > 1 and rng.randrange(level.of) < level.perfect:
        moves = solve(game, state, nodes).best
    return rng.choice(moves)
