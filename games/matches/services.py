"""Create matches, join them, and cancel invitations.

Each service checks its input and raises a `Refusal` if it can't do what it is asked.
"""

import secrets
from collections.abc import Mapping
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.matches import identity
from games.matches.identity import SignedOut
from games.matches.lookups import NoSuchMatch
from games.matches.names import clean_name, generated_name
from games.matches.selectors import match_row, open_listed_of
from games.models import FormerToken, Guest, Match
from games.refusals import Refusal
from games.rules import GAMES, Seat, other
from games.sentences import PLAIN, Template
from games.sentences import gettext_noop as _
from games.solver import LEVELS, can_play

GRID_TOO_LARGE = Template(_("The computer can't play on a grid this large. Choose a smaller one."))
INVITATION_CLOSED = Template(_("This invitation is no longer open. Ask for a new link."))
BOTH_SEATS_TAKEN = Template(_("Both seats are taken. You can watch this match."))
ALREADY_STARTED = Template(_("This match has already started. You can resign instead."))


def bad_setting(code: str, text: str) -> Refusal:
    """Refuse settings that only a program can send; our own forms don't offer them."""
    return Refusal(code, PLAIN(text=text))


def new_guest() -> Guest:
    """Return a new guest, who isn't stored before they take a seat or choose a name."""
    return guest_with(identity.new_guest_id())


def guest_with(guest_id: int, device: int = 0) -> Guest:
    """Return the guest with this id without reading the database. They may not be stored yet.

    Whatever stores them finds out whether the device that acts was signed out.
    """
    guest = Guest(pk=guest_id, name=generated_name(guest_id))
    guest.device = device
    return guest


def computer_guest(level: str) -> Guest:
    """Return the guest that stands for the computer at this level."""
    # Excluding people lets SQLite use the index on levels, which leaves them out too.
    computers = Guest.objects.exclude(level="")
    return computers.get_or_create(level=level, defaults={"name": LEVELS[level].computer})[0]


def create_match(
    *,
    guest: Guest,
    game: str,
    starts: str = "lot",
    listed: bool = False,
    options: Mapping[str, Any] | None = None,
    same_device: bool = False,
    computer: str = "",
    name: str = "",
    pace: str = "",
) -> tuple[Match, Seat]:
    """Create a match and return it with the creator's seat (1 if the creator has both seats).

    To play the computer, give its level as `computer`; `starts="friend"` then lets it begin. A name
    is the creator's from now on, in all their matches.
    """
    if game not in GAMES:
        raise bad_setting("unknown_game", f"The game must be one of {', '.join(GAMES)}.")
    if starts not in ("me", "friend", "lot"):
        raise bad_setting("bad_starts", "The value of starts must be one of me, friend, lot.")
    if computer and computer not in LEVELS:
        raise bad_setting("bad_level", f"The level must be one of {', '.join(LEVELS)}.")
    if pace and pace not in Match.Pace.values:
        raise bad_setting("bad_pace", f"The pace must be one of {', '.join(Match.Pace.values)}.")
    if computer and same_device:
        raise bad_setting("bad_level", "Choose either same_device or computer, not both.")
    state = GAMES[game].setup(SystemRandom(), **(options or {}))
    if computer and not can_play(GAMES[game], state):
        raise Refusal("bad_level", GRID_TOO_LARGE())
    chosen = _chosen(name)
    match = Match(
        game=game,
        options=dict(options or {}),
        setup=GAMES[game].to_json(state),
        listed=listed and not same_device,
        same_device=same_device,
        pace=_pace_of(pace, listed=listed, alone=same_device or bool(computer)),
    )
    if same_device:
        seat = 1
        match.seat_1 = match.seat_2 = guest
        start(match)
    else:
        seat = {"me": 1, "friend": 2, "lot": secrets.choice((1, 2))}[starts]
        setattr(match, f"seat_{seat}", guest)
    if computer:
        setattr(match, f"seat_{other(seat)}", computer_guest(computer))
        start(match)
    with transaction.atomic():
        store(guest, chosen)
        match.save(force_insert=True)
    return match, seat


def unlist_earlier(guest: Guest) -> list[str]:
    """Keep only a guest's newest invitation in the lobby; return the ids of the others.

    Their links still work. Called after an invitation was stored, so that of several stored at
    the same time only one stays listed.
    """
    earlier = open_listed_of(guest)[1:]
    if earlier:
        Match.objects.filter(pk__in=earlier, status=Match.Status.OPEN).update(listed=False)
    return earlier


def join_match(*, match_id: str, guest: Guest, name: str = "") -> Seat:
    """Take the free seat. A guest who is already seated keeps their seat.

    A name is the guest's from now on, in all their matches.
    """
    chosen = _chosen(name)
    row = match_row(match_id)
    if row is None:
        raise NoSuchMatch
    if seats := row.seats_of(guest.who):
        return seats[0]
    free = 2 if row.seat_2_id is None else 1
    # The seat must still be free: if two people join at once, the database lets one of them in.
    with transaction.atomic():
        taken = Match.objects.filter(
            **{"pk": match_id, "status": Match.Status.OPEN, f"seat_{free}": None}
        ).update(
            **{
                f"seat_{free}": guest,
                "status": Match.Status.LIVE,
                "started": timezone.now(),
            }
        )
        if taken:
            store(guest, chosen)
            return free
    if row.status in (Match.Status.CANCELLED, Match.Status.EXPIRED):
        raise Refusal("closed", INVITATION_CLOSED(), 409)
    raise Refusal("full", BOTH_SEATS_TAKEN(), 409)


def store(guest: Guest, name: str | None = None) -> Guest:
    """Store a guest who has no row yet, and the name they chose; return the row.

    With None they keep their name, with an empty one they go back to the generated name. Call it
    inside a transaction: the row is locked, because a sweep may be about to delete it. Raises
    `SignedOut` if this device may no longer act for them, or if they were merged into another.
    """
    rows = Guest.objects.select_for_update(no_key=True)
    row, is_new = rows.get_or_create(pk=guest.pk, defaults={"name": guest.name})
    if row.is_signed_out(guest.device):
        raise SignedOut
    former = FormerToken.objects.filter(guest_id=guest.pk, number=guest.device)
    if is_new and former.exists():
        raise SignedOut
    if name is not None and row.chosen != name:
        row.chosen = name
        row.save(update_fields=["chosen"])
    return row


def cancel_invitation(*, match_id: str, guest: Guest) -> None:
    row = match_row(match_id, guest.pk)
    if row is None or not row.seats_of(guest.who):
        raise NoSuchMatch
    cancelled = Match.objects.filter(pk=match_id, status=Match.Status.OPEN).update(
        status=Match.Status.CANCELLED, ended=timezone.now()
    )
    if not cancelled and row.status != Match.Status.CANCELLED:
        raise Refusal("not_open", ALREADY_STARTED(), 409)


def start(match: Match) -> None:
    match.status = Match.Status.LIVE
    match.started = timezone.now()


def _pace_of(pace: str, *, listed: bool, alone: bool) -> str:
    """Return the pace of a new match. Friends may take their time, strangers shouldn't have to."""
    if alone:
        return Match.Pace.NOW
    return pace or (Match.Pace.NOW if listed else Match.Pace.NO_HURRY)


def _chosen(name: str) -> str | None:
    return clean_name(name) if name else None
