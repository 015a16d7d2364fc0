"""Suggests a good move and says why it is good."""

from dataclasses import dataclass

from games.rules.contract import Game, Move, S, Seat
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.budget import NODES
from games.solver.reasons import reason
from games.solver.solving import solver_for

ONLY_MOVE = Template(_("There's no other move."))
NOT_SOLVED = Template(_("This position is too large to solve; nothing is known against {move}."))
LOSES = Template(
    _("Every move loses against perfect play; nothing is known to last longer than {move}.")
)
LOSES_LAST = Template(_("Every move loses against perfect play; {move} lasts longest."))


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, who wins after it (None if not proved), how soon, and why."""

    move: Move
    winner: Seat | None
    distance: int | None
    sentence: Sentence


def hint(game: Game[S], state: S, nodes: int = NODES) -> Hint:
    """Return one of the best moves in an unfinished match."""
    solver = solver_for(game, state, nodes)
    solution = solver.solve(state)
    move = solution.best[0]
    spoken = game.spoken(state, move)
    if len(solution.verdicts) == 1:
        sentence = ONLY_MOVE()
    elif solution.winner == state.turn:
        sentence = reason(solver, state, move)
    elif solution.winner is None:
        sentence = NOT_SOLVED(move=spoken)
    elif solution.distance is None:
        sentence = LOSES(move=spoken)
    else:
        sentence = LOSES_LAST(move=spoken)
    return Hint(move, solution.winner, solution.distance, sentence)
