"""A guest's matches: those that go on, with whose turn it is, and those that are over."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from games.matches import selectors
from games.matches.loaded_match import LoadedMatch
from games.models import Action, Match, created_at
from games.refusals import Refusal
from games.sentences import PLAIN

PAGE = 20
# How many matches that go on are looked at. Nobody who plays has more, only programs do.
MOST_CURRENT = 500

# How many of them a list shows at first.
MOST_SHOWN = 50

OVER = (Match.Status.FINISHED, Match.Status.UNFINISHED)

BAD_PAGE = PLAIN(text="There is no such page. Start again without before.")


class Standing(StrEnum):
    """How a match stands for one of its players."""

    YOUR_TURN = "your-turn"
    WAITING = "waiting"
    OPEN = "open"
    FINISHED = "finished"


class Current(NamedTuple):
    """A match that goes on, as much of it as lists are sorted and counted by."""

    id: str
    standing: Standing
    # When somebody last moved, or else when it was created.
    since: float


class Page(NamedTuple):
    """Some of a guest's matches; `before` asks for those that follow, None if there are none."""

    matches: list[LoadedMatch]
    before: str | None


def standing_of(loaded: LoadedMatch, guest_id: int) -> Standing | None:
    """Return how a match stands for a guest; None if it isn't one of theirs, or was withdrawn."""
    seats = loaded.row.seats_with(guest_id)
    if not seats:
        return None
    if loaded.outcome is not None:
        return Standing.FINISHED
    return _standing(loaded.row.status, loaded.state.turn in seats)


def _standing(status: str, is_your_turn: bool) -> Standing | None:
    if status == Match.Status.LIVE:
        return Standing.YOUR_TURN if is_your_turn else Standing.WAITING
    if status in OVER:
        return Standing.FINISHED
    return Standing.OPEN if status == Match.Status.OPEN else None


def current(guest_id: int) -> list[Current]:
    """Return a guest's matches that go on, those that changed last first."""
    with connection.cursor() as cursor:
        cursor.execute(_CURRENT, [guest_id, guest_id, MOST_CURRENT])
        rows = cursor.fetchall()
    found = []
    for match_id, serial, status, *seats, version, moved in rows:
        # Seats take turns strictly, so the version tells whose turn it is.
        standing = _standing(status, seats[(version or 0) % 2] == guest_id)
        assert standing is not None
        found.append(Current(match_id, standing, moved or created_at(serial)))
    return sorted(found, key=lambda one: one.since, reverse=True)


def _current_in(seat: str) -> str:
    # The index on matches that are not kept finds them.
    return f"""
        SELECT id, serial, status, seat_1_id, seat_2_id FROM {Match._meta.db_table}
        WHERE NOT kept AND {seat} = %s AND status IN ('open', 'live')"""


# Plain SQL, because every page that a guest opens asks for it.
_CURRENT = f"""
    SELECT id, serial, status, seat_1_id, seat_2_id,
        (SELECT max(version) FROM {Action._meta.db_table} WHERE match_serial = serial),
        (SELECT time FROM {Action._meta.db_table} WHERE match_serial = serial
            ORDER BY version DESC LIMIT 1)
    FROM ({_current_in("seat_1_id")} UNION {_current_in("seat_2_id")}) AS mine
    ORDER BY serial DESC LIMIT %s
"""


def page(
    guest_id: int,
    standing: Standing | None = None,
    before: str | None = None,
    most: int = PAGE,
) -> Page:
    """Return a page of a guest's matches: all of them, or only those that stand like this.

    Matches that go on come first. `before` is the last match of the page before.
    """
    ids: list[str] = []
    if standing != Standing.FINISHED:
        going_on = [one.id for one in current(guest_id) if standing in (None, one.standing)]
        if before in going_on:
            going_on = going_on[going_on.index(before) + 1 :]
            before = None
        elif before is not None and standing is None:
            going_on = []
        ids = going_on[: most + 1]
    if standing in (None, Standing.FINISHED) and len(ids) <= most:
        ids += _over(guest_id, before, most + 1 - len(ids))
    matches = load(ids[:most])
    return Page(matches, ids[most - 1] if len(ids) > most else None)


def load(match_ids: list[str]) -> list[LoadedMatch]:
    """Load these matches, in this order. Those that were deleted meanwhile are left out."""
    found = {one.row.pk: LoadedMatch(one) for one in selectors.stored_matches(match_ids)}
    return [found[match_id] for match_id in match_ids if match_id in found]


def going_on(guest_id: int) -> list[LoadedMatch]:
    """Return the first of a guest's matches that go on. The pages of a list have the others."""
    return load([one.id for one in current(guest_id)[:MOST_SHOWN]])


def _over(guest_id: int, before: str | None, most: int) -> list[str]:
    """Return the ids of a guest's matches that are over, those that ended last first."""
    matches = Match.objects.filter(status__in=OVER)
    if before is not None:
        last = selectors.match_row(before, guest_id) if selectors.clean_match_id(before) else None
        if last is None or last.ended is None:
            raise Refusal("bad_query", BAD_PAGE)
        # The first condition is what the index is read by, the second is exact.
        matches = matches.filter(ended__lte=last.ended).filter(
            Q(ended__lt=last.ended) | Q(serial__lt=last.serial)
        )
    found: set[tuple[datetime, int, str]] = set()
    for rows in _by_index(matches, guest_id):
        newest = rows.order_by("-ended", "-serial")[:most]
        found.update(newest.values_list("ended", "serial", "pk"))  # type: ignore[arg-type]
    return [match_id for _, _, match_id in sorted(found, reverse=True)[:most]]


def _by_index(matches: QuerySet[Match], guest_id: int) -> Iterable[QuerySet[Match]]:
    """Return queries for a guest's matches that each use one index."""
    for seat in ("seat_1", "seat_2"):
        for kept in (False, True):
            yield matches.filter(**{seat: guest_id, "kept": kept})
