"""A good move for the player to move, and why it is one."""

from dataclasses import dataclass

from games.rules.contract import Game, Move, S, Seat
from games.solver.budget import NODES
from games.solver.reasons import reason, spoken
from games.solver.solving import solver_for


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, who wins after it (None: not proved), how soon, and the reason as a sentence."""

    move: Move
    winner: Seat | None
    distance: int | None
    sentence: str


def hint(game: Game[S], state: S, nodes: int = NODES) -> Hint:
    """One of the best moves of a running match."""
    solver = solver_for(game, state, nodes)
    solution = solver.solve(state)
    move = solution.best[0]
    name = spoken(state, move)
    if len(solution.verdicts) == 1:
        sentence = "There is no other move."
    elif solution.winner == state.turn:
        sentence = reason(solver, state, move)
    elif solution.winner is None:
        sentence = f"This position is too large to be solved; nothing is known against {name}."
    elif solution.distance is None:
        sentence = f"Every move loses against perfect play; nothing is known to outlast {name}."
    else:
        sentence = f"Every move loses against perfect play; {name} holds out longest."
    return Hint(move, solution.winner, solution.distance, sentence)
