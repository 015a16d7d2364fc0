"""The solver's reviews of finished matches, and its verdicts on other moves people try in them."""

from collections.abc import Callable, Sequence
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
from games.thinking.asking import Asker, Run, Thinking

NOT_FINISHED = Template(_("You can review a match when it is over."))

# The longest line that people can try. No match has more moves.
LONGEST_LINE = 120


def finished(match_id: str) -> LoadedMatch:
    stored = selectors.stored_match(match_id)
    if stored is None:
        raise NoSuchMatch
    if stored.row.status != Match.Status.FINISHED:
        raise Refusal("not_finished", NOT_FINISHED(), 409)
    return LoadedMatch(stored)


async def review(
    thinking: Thinking,
    asker: Asker,
    match_id: str,
    found_accuracy: Callable[[str, list[dict[str, int]]], object],
) -> dict[str, Any]:
    """Review every move of a finished match. It never changes, so neither does its review.

    Whenever a review is worked out, `found_accuracy` is called with the match's id and both
    players' accuracy. It must not take long, because people wait for the review.
    """

    async def work(run: Run) -> dict[str, Any]:
        loaded = await database.read(finished, match_id)
        moves = [(action.seat, action.move) for action in loaded.actions if action.move is not None]
        found: dict[str, Any] = await run(pool.review, loaded.row.game, loaded.row.setup, moves)
        found_accuracy(match_id, found["accuracy"])
        return found

    return await thinking.ask(asker, ("review", match_id), work)


class Explored(NamedTuple):
    """A position that was reached by trying other moves than those played."""

    game: Game[Any]
    state: Any
    outcome: Outcome | None
    # The events of each tried move.
    events: list[tuple[Event, ...]]
    # The solver's verdict on every legal move; None if the match is over or nothing is proved.
    solution: dict[str, Any] | None


async def explore(
    thinking: Thinking, asker: Asker, match_id: str, version: str, moves: Sequence[str]
) -> Explored:
    """Try other moves, starting from a version."""
    if len(moves) > LONGEST_LINE:
        text = f"You can try at most {LONGEST_LINE} moves in a row."
        raise Refusal("bad_query", PLAIN(text=text))
    start = _number(version)
    line = tuple(move if (number := _number(move)) is None else number for move in moves)

    async def work(run: Run) -> Explored:
        loaded, state, events = await database.read(_tried, match_id, start, line)
        outcome = loaded.game.outcome(state)
        solution = None
        if outcome is None:
            solution = await run(pool.verdicts, loaded.row.game, loaded.game.to_json(state))
        return Explored(loaded.game, state, outcome, events, solution)

    return await thinking.ask(asker, ("explore", match_id, start, line), work)


def _tried(
    match_id: str, version: int | None, moves: Sequence[Move]
) -> tuple[LoadedMatch, Any, list[tuple[Event, ...]]]:
    """Return the match, the position after playing these moves at that version, and the events."""
    loaded = finished(match_id)
    if version is None or version > loaded.version:
        text = f"The version must be a number from 0 to {loaded.version}."
        raise Refusal("bad_query", PLAIN(text=text))
    state = loaded.entry(version).state if version else loaded.first_state
    line = []
    for move in moves:
        state, events = loaded.game.play(state, state.turn, move)
        line.append(events)
    return loaded, state, line


def _number(text: str) -> int | None:
    """Return a whole number; None if the text isn't one, or one that no match has."""
    return int(text) if len(text) < 10 and text.isascii() and text.isdigit() else None
