"""Computer opponents, and how often each plays the best move."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from games.rules.contract import Game, Move, S
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.budget import NODES
from games.solver.solving import solve

BEGINNER = Template(_("Beginner"))
CASUAL = Template(_("Casual"))
SKILLED = Template(_("Skilled"))
PERFECT = Template(_("Perfect"))
BEGINNER_COMPUTER = Template(_("Beginner computer"))
CASUAL_COMPUTER = Template(_("Casual computer"))
SKILLED_COMPUTER = Template(_("Skilled computer"))
PERFECT_COMPUTER = Template(_("Perfect computer"))
ALWAYS_PERFECT = Template(_("Plays every move perfectly."))
OFTEN_PERFECT = Template(_("Plays {perfect} of {moves} moves perfectly and the rest at random."))


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent that plays the best move `perfect` times out of `of`, and otherwise a random one.

    `computer` is the name that players see.
    """

    slug: str
    name: Sentence
    computer: Sentence
    perfect: int
    of: int

    @property
    def sentence(self) -> Sentence:
        if self.perfect == self.of:
            return ALWAYS_PERFECT()
        return OFTEN_PERFECT(perfect=self.perfect, moves=self.of)


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        level.slug: level
        for level in (
            Level("beginner", BEGINNER(), BEGINNER_COMPUTER(), 1, 5),
            Level("casual", CASUAL(), CASUAL_COMPUTER(), 1, 2),
            Level("skilled", SKILLED(), SKILLED_COMPUTER(), 4, 5),
            Level("perfect", PERFECT(), PERFECT_COMPUTER(), 1, 1),
        )
    }
)


def choose(game: Game[S], state: S, level: Level, rng: Random, nodes: int = NODES) -> Move:
    """Choose an opponent's move in an unfinished match."""
    moves = game.legal_moves(state)
    if len(moves) > 1 and rng.randrange(level.of) < level.perfect:
        moves = solve(game, state, nodes).best
    return rng.choice(moves)
