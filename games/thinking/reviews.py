"""Reviews of finished matches, and other moves tried in them: what the solver has to say.

Only under a finished match's id: while two people play, the server gives no verdict to anyone.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from games.live import protocol
from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.matches.lookups import NoSuchMatch
from games.models import Match
from games.refusals import Refusal
from games.rules import PASS, IllegalMove, Move
from games.sentences import PLAIN, Template
from games.sentences import gettext_noop as _
from games.thinking import pool

NOT_FINISHED = Template(_("You can review a match when it is over."))
BUSY = Template(_("The server is very busy. Try again in a moment."))

# Longer than the solver's budget allows a whole match to take, also on a busy machine.
LONGEST_THOUGHT = 30.0
# The longest line that can be tried: no match has more moves.
LONGEST_LINE = 120
# A finished match does not change any more, so its review is kept.
MOST_KEPT = 1000
_reviews: dict[str, dict[str, Any]] = {}


def finished(match_id: str) -> LoadedMatch:
    stored = selectors.stored_match(match_id)
    if stored is None:
        raise NoSuchMatch
    if stored.row.status != Match.Status.FINISHED:
        raise Refusal("not_finished", NOT_FINISHED(), 409)
    return LoadedMatch(stored)


async def review(match_id: str) -> dict[str, Any]:
    """What every move of a match was worth."""
    if match_id not in _reviews:
        loaded = await database.read(finished, match_id)
        moves = [(action.seat, action.move) for action in loaded.actions if action.move is not None]
        found = await _thought(pool.review, loaded.row.game, loaded.row.setup, moves)
        if len(_reviews) >= MOST_KEPT:
            del _reviews[next(iter(_reviews))]
        _reviews[match_id] = found
    return _reviews[match_id]


async def explore(match_id: str, version: str, moves: Sequence[str]) -> dict[str, Any]:
    """The position after other moves than those that were played, with the verdict on each."""
    loaded, state, line = await database.read(_tried, match_id, version, moves)
    position = protocol.position(loaded.game, state, loaded.game.outcome(state))
    verdicts = None
    if position["outcome"] is None:
        verdicts = await _thought(pool.verdicts, loaded.row.game, loaded.game.to_json(state))
    return {**position, "events": line, "solution": verdicts}


def _tried(match_id: str, version: str, moves: Sequence[str]) -> tuple[LoadedMatch, Any, list[Any]]:
    """The match, the position after these moves from that version on, and what they did."""
    loaded = finished(match_id)
    state = _state_at(loaded, version)
    if len(moves) > LONGEST_LINE:
        text = f"You can try at most {LONGEST_LINE} moves in a row."
        raise Refusal("bad_query", PLAIN(text=text))
    line = []
    try:
        for text in moves:
            state, events = loaded.game.play(state, state.turn, _move(text))
            line.append(events)
    except IllegalMove as refusal:
        raise Refusal(refusal.code, PLAIN(text=refusal.text)) from refusal
    return loaded, state, line


async def _thought(function: Callable[..., dict[str, Any]], *args: Any) -> dict[str, Any]:
    try:
        async with asyncio.timeout(LONGEST_THOUGHT):
            return await asyncio.wrap_future(pool.ask(function, *args))
    except (TimeoutError, BrokenProcessPool) as error:
        raise Refusal("busy", BUSY(), 503) from error


def _state_at(loaded: LoadedMatch, version: str) -> Any:
    if not (version.isascii() and version.isdigit() and int(version) <= loaded.version):
        text = f"The version must be a number from 0 to {loaded.version}."
        raise Refusal("bad_query", PLAIN(text=text))
    number = int(version)
    return loaded.entries[number - 1].state if number else loaded.first_state


def _move(text: str) -> Move:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else PASS
