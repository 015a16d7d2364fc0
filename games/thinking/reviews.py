"""The solver's reviews of finished matches, and its verdicts on other moves people try in them.

While two people play, the server gives verdicts to nobody.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.matches.lookups import NoSuchMatch
from games.models import Match
from games.refusals import Refusal
from games.rules import Event, Move, Outcome
from games.rules.contract import Game
from games.sentences import PLAIN, Template
from games.sentences import gettext_noop as _
from games.thinking import pool
from games.thinking.asking import think

NOT_FINISHED = Template(_("You can review a match when it is over."))

# The longest line that people can try. No match has more moves.
LONGEST_LINE = 120
# A finished match never changes, so its review is cached.
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
    """Review every move of a finished match."""
    if match_id not in _reviews:
        loaded = await database.read(finished, match_id)
        moves = [(action.seat, action.move) for action in loaded.actions if action.move is not None]
        found = await think(pool.review, loaded.row.game, loaded.row.setup, moves)
        if len(_reviews) >= MOST_KEPT:
            del _reviews[next(iter(_reviews))]
        _reviews[match_id] = found
    return _reviews[match_id]


class Explored(NamedTuple):
    """A position that was reached by trying other moves than those played."""

    game: Game[Any]
    state: Any
    outcome: Outcome | None
    # The events of each tried move.
    events: list[tuple[Event, ...]]
    # The solver's verdict on every legal move; None if the match is over or nothing is proved.
    solution: dict[str, Any] | None


async def explore(match_id: str, version: str, moves: Sequence[str]) -> Explored:
    """Try other moves, starting from a version."""
    loaded, state, events = await database.read(_tried, match_id, version, moves)
    outcome = loaded.game.outcome(state)
    solution = None
    if outcome is None:
        solution = await think(pool.verdicts, loaded.row.game, loaded.game.to_json(state))
    return Explored(loaded.game, state, outcome, events, solution)


def _tried(
    match_id: str, version: str, moves: Sequence[str]
) -> tuple[LoadedMatch, Any, list[tuple[Event, ...]]]:
    """Return the match, the position after playing these moves at that version, and the events."""
    loaded = finished(match_id)
    state = _state_at(loaded, version)
    if len(moves) > LONGEST_LINE:
        text = f"You can try at most {LONGEST_LINE} moves in a row."
        raise Refusal("bad_query", PLAIN(text=text))
    line = []
    for move in moves:
        state, events = loaded.game.play(state, state.turn, _move(move))
        line.append(events)
    return loaded, state, line


def _state_at(loaded: LoadedMatch, version: str) -> Any:
    number = _number(version)
    if number is None or number > loaded.version:
        text = f"The version must be a number from 0 to {loaded.version}."
        raise Refusal("bad_query", PLAIN(text=text))
    return loaded.entries[number - 1].state if number else loaded.first_state


def _move(text: str) -> Move:
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> int | None:
    """Return a whole number; None if the text isn't one, or one that no match has."""
    return int(text) if len(text) < 10 and text.isascii() and text.isdigit() else None
