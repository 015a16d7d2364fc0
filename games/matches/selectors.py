"""Every read of the database."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db import connection
from django.db.models import Q, QuerySet

from games.models import ID_ALPHABET, ID_LENGTH, Action, Guest, Match, first_serial_at
from games.rules import PASS, Move, Seat


class StoredAction(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One action as it is stored.

    A server holds many of them. They contain no references, so the garbage collector skips them.
    """

    version: int
    seat: Seat
    move: Move | None
    decision: str | None
    client_id: str | None
    time: float


@dataclass(frozen=True)
class StoredMatch:
    """A match with all its actions, and each seat's wins in earlier matches of the series."""

    row: Match
    actions: list[StoredAction]
    wins_before: tuple[int, int]


def clean_match_id(text: str) -> str | None:
    """Return an id in the form in which it is stored; None if it can't be one."""
    if len(text) != ID_LENGTH:
        return None
    text = text.lower()
    return text if set(text) <= set(ID_ALPHABET) else None


def match_row(match_id: str, guest_id: int | None = None) -> Match | None:
    """Return a match's row; with a guest, only if they play in it."""
    rows = _rows().filter(pk=match_id)
    if guest_id is not None:
        rows = rows.filter(Q(seat_1=guest_id) | Q(seat_2=guest_id))
    return rows.first()


def guests_in(row: Match) -> tuple[int, ...]:
    """Return the ids of the guests who sit in a match."""
    both = (row.seat_1_id, row.seat_2_id)
    return tuple(guest_id for guest_id in both if guest_id is not None)


def stored_match(match_id: str) -> StoredMatch | None:
    row = match_row(match_id)
    return with_history(row) if row else None


def with_history(row: Match) -> StoredMatch:
    return StoredMatch(row, actions_of([row.pk]).get(row.pk, []), wins_before(row))


def actions_of(match_ids: Iterable[str]) -> dict[str, list[StoredAction]]:
    """Return all actions of these matches, in order, by match id."""
    found: dict[str, list[StoredAction]] = {}
    with connection.cursor() as cursor:
        # Plain SQL takes a tenth of the ORM's time, and everyone who opens a match waits for it.
        cursor.execute(_ACTIONS[connection.vendor], [_among(list(match_ids))])
        rows = cursor.fetchall()
    for match_id, version, seat, move, decision, client_id, when in rows:
        stored = move if move is None or move == PASS else int(move)
        found.setdefault(match_id, []).append(
            StoredAction(version, seat, stored, decision, client_id, when)
        )
    return found


def wins_before(row: Match) -> tuple[int, int]:
    """Return how many earlier matches of the series the players in seats 1 and 2 have won."""
    if row.number == 1:
        return 0, 0
    wins = [0, 0]
    earlier = Match.objects.filter(
        series=row.series, number__lt=row.number, status=Match.Status.FINISHED
    )
    for number, winner in earlier.values_list("number", "winner"):
        if winner is not None:
            # The seats swap with every match of a series.
            wins[(winner - 1 + row.number - number) % 2] += 1
    return wins[0], wins[1]


def fingerprints(match_ids: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """Return everything that can change about these matches, to compare with a process's memory.

    It runs every few seconds for all matches in memory. Plain SQL takes a fifth of the ORM's time.
    """
    wanted = list(match_ids)
    with connection.cursor() as cursor:
        cursor.execute(_FINGERPRINTS[connection.vendor], [_among(wanted)])
        return {row[0]: tuple(row[1:]) for row in cursor.fetchall()}


FINGERPRINT = (
    *("status", "seat_1_id", "seat_2_id", "rematch_offer", "rematch_game", "rematch_id"),
)

_AMONG = {"sqlite": "IN (SELECT value FROM json_each(%s))", "postgresql": "= ANY(%s)"}

_FINGERPRINTS = {
    vendor: (
        f"SELECT id, (SELECT coalesce(max(version), 0) FROM {Action._meta.db_table} "
        f"WHERE match_serial = serial), {', '.join(FINGERPRINT)} "
        f"FROM {Match._meta.db_table} WHERE id {among}"
    )
    for vendor, among in _AMONG.items()
}

_ACTIONS = {
    vendor: (
        "SELECT match_id, version, seat, move, decision, client_id, time "
        f"FROM (SELECT id AS match_id, serial FROM {Match._meta.db_table} WHERE id {among}) "
        f"AS wanted JOIN {Action._meta.db_table} ON match_serial = serial "
        "ORDER BY serial, version"
    )
    for vendor, among in _AMONG.items()
}


def _among(ids: list[str]) -> str | list[str]:
    """Return a list as one query parameter. SQLite takes it as JSON."""
    return json.dumps(ids) if connection.vendor == "sqlite" else ids


def fingerprint(row: Match, version: int) -> tuple[Any, ...]:
    """Return the fingerprint of a match in memory."""
    return (version, *(getattr(row, name) for name in FINGERPRINT))


def stored_matches(match_ids: Iterable[str]) -> list[StoredMatch]:
    """Return these matches with their actions, but without the wins in their series."""
    rows = list(_rows().filter(pk__in=list(match_ids)))
    actions = actions_of(row.pk for row in rows)
    return [StoredMatch(row, actions.get(row.pk, []), (0, 0)) for row in rows]


def open_listed_of(guest: Guest) -> list[str]:
    """Return the ids of the listed invitations by this guest, newest first."""
    # One query for each seat, because each has an index.
    found = [
        pair
        for seat in ("seat_1", "seat_2")
        for pair in Match.objects.filter(
            **{seat: guest, "status": Match.Status.OPEN, "listed": True}
        ).values_list("created", "pk")
    ]
    return [match_id for _, match_id in sorted(found, reverse=True)]


def signed_out_since(when: datetime) -> list[tuple[int, int]]:
    """Return the guests whose devices were signed out since then, and which were."""
    rows = Guest.objects.filter(signed_out_at__gte=when)
    return list(rows.values_list("pk", "signed_out"))


def computer_ids() -> list[int]:
    """Return the ids of the guests that stand for the computer."""
    return list(Guest.objects.exclude(level="").values_list("pk", flat=True))


class Overdue(NamedTuple):
    """Matches in which the computer should have moved, and the serial where the next look starts.

    The serial is 0 if the next look starts again with the oldest matches.
    """

    match_ids: list[str]
    next: int


def overdue_computer_turns(before: float, start: int = 0) -> Overdue:
    """Look for matches of the last day in which the computer should have moved before this time.

    This runs every few seconds, so it looks at a few matches only, the next ones after `start`.
    Seats take turns strictly, so the version tells whose turn it is. A match against the computer
    starts when it is created.
    """
    computers = set(computer_ids())
    if not computers:
        return Overdue([], 0)
    first = max(start, first_serial_at(before - DAY))
    with connection.cursor() as cursor:
        cursor.execute(_LATEST, [first, LOOKED_AT_ONCE])
        rows = cursor.fetchall()
    created_before = first_serial_at(before)
    found = [
        match_id
        for match_id, serial, status, *seats, version, moved in rows
        if status == Match.Status.LIVE and seats[(version or 0) % 2] in computers
        if (serial < created_before if moved is None else moved < before)
    ]
    return Overdue(found, 0 if len(rows) < LOOKED_AT_ONCE else rows[-1][1])


DAY = 24 * 60 * 60.0
LOOKED_AT_ONCE = 100

# Plain SQL, because it runs every few seconds. The index on matches that are not kept finds them.
_LATEST = f"""
    SELECT id, serial, status, seat_1_id, seat_2_id,
        (SELECT max(version) FROM {Action._meta.db_table} WHERE match_serial = serial),
        (SELECT time FROM {Action._meta.db_table} WHERE match_serial = serial
            ORDER BY version DESC LIMIT 1)
    FROM {Match._meta.db_table} WHERE NOT kept AND serial > %s ORDER BY serial LIMIT %s
"""


def _rows() -> QuerySet[Match]:
    return Match.objects.select_related("seat_1", "seat_2")
