"""Everything that is stored about a guest, as JSON for them to download.

A guest may have thousands of matches, so it is read and sent in parts.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from django.utils import timezone

from games.guests import devices, record, recovery, subscriptions
from games.guests.labels import label_of
from games.matches import database, selectors
from games.matches.selectors import StoredAction, StoredMatch
from games.models import DeviceLink, Guest, Match

MATCHES_AT_ONCE = 50

encode = msgspec.json.Encoder(enc_hook=str).encode


def about_guest(guest: Guest) -> dict[str, Any]:
    return {
        "name": guest.shown_name,
        "generated": guest.name,
        "created": guest.created,
        "id": str(guest.pk),
    }


def about_devices(guest: Guest) -> list[dict[str, Any]]:
    return [
        {
            "number": device.number,
            "label": label_of(device),
            "created": device.created,
            "seen": device.seen,
        }
        for device in devices.of(guest)
    ]


def about_links(guest: Guest) -> list[dict[str, Any]]:
    links = DeviceLink.objects.filter(guest=guest.pk)
    return [{"expires": link.expires, "used": link.used} for link in links]


# What a download has before the matches: a name, and the function that reads it.
PARTS: dict[str, Callable[[Guest], Any]] = {
    "guest": about_guest,
    "devices": about_devices,
    "device_links": about_links,
    "recovery_code_made": recovery.made_on,
    "played": lambda guest: record.export(guest.pk),
    "notifications": lambda guest: subscriptions.export(guest.pk),
}


async def download(guest: Guest) -> AsyncIterator[bytes]:
    """Yield everything about a guest who is stored, in parts that together are one JSON object."""
    yield b'{"made":' + encode(timezone.now())
    for name, read in PARTS.items():
        yield b",\n" + encode(name) + b":" + encode(await database.read(read, guest))
    yield b',\n"matches":['
    match_ids = await database.read(match_ids_of, guest)
    comma = b"\n"
    for start in range(0, len(match_ids), MATCHES_AT_ONCE):
        part = match_ids[start : start + MATCHES_AT_ONCE]
        for match in await database.read(about_matches, guest, part):
            yield comma + encode(match)
            comma = b",\n"
    yield b"\n]}\n"


def match_ids_of(guest: Guest) -> list[str]:
    """Return the ids of all matches of a guest, the oldest first."""
    found = {
        pair
        for seat in ("seat_1", "seat_2")
        for pair in Match.objects.filter(**{seat: guest.pk}).values_list("serial", "pk")
    }
    return [match_id for _, match_id in sorted(found)]


def about_matches(guest: Guest, match_ids: list[str]) -> list[dict[str, Any]]:
    stored = sorted(selectors.stored_matches(match_ids), key=lambda one: one.row.serial)
    return [about_match(guest, one) for one in stored]


def about_match(guest: Guest, stored: StoredMatch) -> dict[str, Any]:
    """Return one match. The opponent's name is theirs, so it isn't in here."""
    row = stored.row
    theirs = {1: row.seat_1_id, 2: row.seat_2_id}
    seats = [seat for seat, guest_id in theirs.items() if guest_id == guest.pk]
    names = {1: row.name_1, 2: row.name_2}
    return {
        "id": row.pk,
        "game": row.game,
        "options": row.options,
        "setup": row.setup,
        "status": row.status,
        "listed": row.listed,
        "same_device": row.same_device,
        "pace": row.pace,
        "your_seats": seats,
        "your_name": next((names[seat] for seat in seats if names[seat]), ""),
        "opponent": opponent_in(row, guest),
        "created": row.created,
        "started": row.started,
        "ended": row.ended,
        "winner": row.winner,
        "accuracy": [{1: row.accuracy_1, 2: row.accuracy_2}[seat] for seat in seats],
        "series": row.series,
        "number": row.number,
        "actions": [about_action(action) for action in stored.actions],
    }


def about_action(action: StoredAction) -> dict[str, Any]:
    return {
        "version": action.version,
        "seat": action.seat,
        "move": action.move,
        "decision": action.decision,
        "time": action.time,
    }


def opponent_in(row: Match, guest: Guest) -> str:
    """Return what kind of opponent a guest has in a match; empty if none."""
    for seat, other in ((1, row.seat_1), (2, row.seat_2)):
        if other is None:
            if row.is_former(seat):
                return "a former player"
        elif other.level:
            return f"the computer, {other.level}"
        elif other.pk != guest.pk:
            return "a person"
    return ""
