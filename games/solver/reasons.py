"""Explains in sentences why a winning move wins: what it leaves, and where it leads."""

from games.rules.contract import Move, S
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.contract import Solver

ENDS = Template(_("{move} ends the match. {reason}"))


def reason(solver: Solver[S], state: S, move: Move) -> Sentence:
    """Say what a winning move does, using the solver's results."""
    after = solver.game.play(state, state.turn, move).state
    outcome = solver.game.outcome(after)
    if outcome is not None:
        return ENDS(move=solver.game.spoken(state, move), reason=outcome.text)
    return solver.reason(state, move, after)
