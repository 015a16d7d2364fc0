"""Reviews of finished matches, and other moves tried in them: what the solver has to say.

Only under a finished match's id: while two people play, the server gives no verdict to anyone.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from games import selectors, thinking
from games.live import protocol
from games.live.held import HeldMatch
from games.models import Match
from games.rules import PASS, IllegalMove, Move
from games.services import Refused, no_such_match

# Longer than the solver's budget allows a whole match to take, also on a busy machine.
LONGEST_THOUGHT = 30.0
# The longest line that can be tried: no match has more moves.
LONGEST_LINE = 120


def finished(match_id: str) -> HeldMatch:
    stored = selectors.stored_match(match_id)
    if stored is None:
        raise no_such_match()
    if stored.row.status != Match.Status.FINISHED:
        raise Refused("not_finished", "A match can be reviewed when it is over.", 409)
    return HeldMatch(stored)


@lru_cache(maxsize=1000)
def review(match_id: str) -> dict[str, Any]:
    """What every move of a match was worth. A finished match does not change any more."""
    held = finished(match_id)
    moves = [(action.seat, action.move) for action in held.actions if action.move is not None]
    found = thinking.ask(thinking.review, held.row.game, held.row.setup, moves)
    return found.result(timeout=LONGEST_THOUGHT)


def explore(match_id: str, version: str, moves: Sequence[str]) -> dict[str, Any]:
    """The position after other moves than those that were played, with the verdict on each."""
    held = finished(match_id)
    state = _state_at(held, version)
    if len(moves) > LONGEST_LINE:
        raise Refused("bad_query", f"At most {LONGEST_LINE} moves can be tried in a row.")
    line = []
    try:
        for text in moves:
            state, events = held.game.play(state, state.turn, _move(text))
            line.append(events)
    except IllegalMove as refusal:
        raise Refused(refusal.code, refusal.text) from refusal
    position = protocol.position(held.game, state, held.game.outcome(state))
    verdicts = None
    if position["outcome"] is None:
        asked = thinking.ask(thinking.verdicts, held.row.game, held.game.to_json(state))
        verdicts = asked.result(timeout=LONGEST_THOUGHT)
    return {**position, "events": line, "solution": verdicts}


def _state_at(held: HeldMatch, version: str) -> Any:
    if not (version.isascii() and version.isdigit() and int(version) <= held.version):
        text = f"The version must be a number from 0 to {held.version}."
        raise Refused("bad_query", text)
    number = int(version)
    return held.entries[number - 1].state if number else held.first_state


def _move(text: str) -> Move:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else PASS
