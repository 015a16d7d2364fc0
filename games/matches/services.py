"""Every write to the database. Each service checks its input and raises a `Refusal` if it can't."""

import contextlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any

import msgspec
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.matches.lookups import NoSuchMatch
from games.matches.names import clean_name, generated_name
from games.matches.selectors import StoredAction, match_row
from games.models import Action, Guest, Match
from games.refusals import Refusal
from games.rules import GAMES, Seat, other
from games.sentences import PLAIN, Template
from games.sentences import gettext_noop as _
from games.solver import LEVELS, can_play

INVITATION_LIVES = timedelta(days=14)
UNFINISHED_AFTER = timedelta(days=30)
# What has ended without a move, and guests who never sat down, are of no use for longer than this.
KEPT_FOR = timedelta(days=30)
SWEPT_AT_ONCE = 500


GRID_TOO_LARGE = Template(_("The computer can't play on a grid this large. Choose a smaller one."))
INVITATION_CLOSED = Template(_("This invitation is no longer open. Ask for a new link."))
BOTH_SEATS_TAKEN = Template(_("Both seats are taken. You can watch this match."))
SESSION_ENDED = Template(_("Your session has ended. Reload the page and try again."))
NOT_YOUR_INVITATION = Template(_("Only the person who sent this invitation can cancel it."))
ALREADY_STARTED = Template(_("This match has already started. You can resign instead."))
REMATCH_TOO_EARLY = Template(_("You can offer a rematch when the match is over."))


def bad_setting(code: str, text: str) -> Refusal:
    """Refuse settings that only a program can send; our own forms don't offer them."""
    return Refusal(code, PLAIN(text=text))


def create_guest() -> Guest:
    return Guest.objects.create(name=generated_name())


def computer_guest(level: str) -> Guest:
    """Return the guest that stands for the computer at this level."""
    return Guest.objects.get_or_create(level=level, defaults={"name": LEVELS[level].computer})[0]


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
) -> tuple[Match, Seat]:
    """Create a match and return it with the creator's seat (1 if the creator has both seats).

    To play the computer, give its level as `computer`; `starts="friend"` then lets it begin.
    """
    if game not in GAMES:
        raise bad_setting("unknown_game", f"The game must be one of {', '.join(GAMES)}.")
    if starts not in ("me", "friend", "lot"):
        raise bad_setting("bad_starts", "The value of starts must be one of me, friend, lot.")
    if computer and computer not in LEVELS:
        raise bad_setting("bad_level", f"The level must be one of {', '.join(LEVELS)}.")
    if computer and same_device:
        raise bad_setting("bad_level", "Choose either same_device or computer, not both.")
    state = GAMES[game].setup(SystemRandom(), **(options or {}))
    if computer and not can_play(GAMES[game], state):
        raise Refusal("bad_level", GRID_TOO_LARGE())
    name = _chosen(name)
    match = Match(
        game=game,
        options=dict(options or {}),
        setup=GAMES[game].to_json(state),
        listed=listed and not same_device,
        same_device=same_device,
    )
    if same_device:
        seat = 1
        match.seat_1 = match.seat_2 = guest
        _start(match)
    else:
        seat = {"me": 1, "friend": 2, "lot": secrets.choice((1, 2))}[starts]
        setattr(match, f"seat_{seat}", guest)
        setattr(match, f"name_{seat}", name)
    if computer:
        setattr(match, f"seat_{other(seat)}", computer_guest(computer))
        _start(match)
    with _guest_is_known():
        match.save(force_insert=True)
    return match, seat


def join_match(*, match_id: str, guest: Guest, name: str = "") -> Seat:
    """Take the free seat. A guest who is already seated keeps their seat."""
    name = _chosen(name)
    row = match_row(match_id)
    if row is None:
        raise NoSuchMatch
    for seat in (1, 2):
        if getattr(row, f"seat_{seat}_id") == guest.pk:
            return seat
    free = 2 if row.seat_2_id is None else 1
    # The seat must still be free: if two people join at once, the database lets one of them in.
    with _guest_is_known():
        taken = Match.objects.filter(
            **{"pk": match_id, "status": Match.Status.OPEN, f"seat_{free}": None}
        ).update(
            **{
                f"seat_{free}": guest,
                f"name_{free}": name,
                "status": Match.Status.LIVE,
                "started": timezone.now(),
            }
        )
    if taken:
        return free
    if row.status in (Match.Status.CANCELLED, Match.Status.EXPIRED):
        raise Refusal("closed", INVITATION_CLOSED(), 409)
    raise Refusal("full", BOTH_SEATS_TAKEN(), 409)


@contextlib.contextmanager
def _guest_is_known() -> Iterator[None]:
    """Refuse a guest whom the sweep deletes at the very moment they take their first seat."""
    try:
        yield
    except IntegrityError as error:
        raise Refusal("no_guest", SESSION_ENDED(), 409) from error


def cancel_invitation(*, match_id: str, guest: Guest) -> None:
    row = match_row(match_id)
    if row is None:
        raise NoSuchMatch
    if guest.pk not in (row.seat_1_id, row.seat_2_id):
        raise Refusal("not_yours", NOT_YOUR_INVITATION(), 403)
    cancelled = Match.objects.filter(pk=match_id, status=Match.Status.OPEN).update(
        status=Match.Status.CANCELLED, ended=timezone.now()
    )
    if not cancelled and row.status != Match.Status.CANCELLED:
        raise Refusal("not_open", ALREADY_STARTED(), 409)


def offer_rematch(*, match_id: str, seat: Seat) -> None:
    """Offer a rematch, or accept the other player's offer and start the next match."""
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(pk=match_id).first()
        if row is None:
            raise NoSuchMatch
        if row.status != Match.Status.FINISHED:
            raise Refusal("not_finished", REMATCH_TOO_EARLY(), 409)
        if row.rematch_id is not None:
            return
        agreed = row.rematch_offer == other(seat)
        if agreed or row.same_device or _guest_of(row, other(seat)).level:
            row.rematch = _next_match(row)
        else:
            row.rematch_offer = seat
        row.save(update_fields=["rematch", "rematch_offer"])


def _guest_of(row: Match, seat: Seat) -> Guest:
    guest = row.seat_1 if seat == 1 else row.seat_2
    assert guest is not None
    return guest


def _next_match(row: Match) -> Match:
    """Create the next match of the series: same game, seats swapped."""
    state = GAMES[row.game].setup(SystemRandom(), **row.options)
    match = Match(
        game=row.game,
        options=row.options,
        setup=GAMES[row.game].to_json(state),
        listed=row.listed,
        same_device=row.same_device,
        seat_1_id=row.seat_2_id,
        seat_2_id=row.seat_1_id,
        name_1=row.name_2,
        name_2=row.name_1,
        series=row.series,
        number=row.number + 1,
    )
    _start(match)
    match.save(force_insert=True)
    return match


def _start(match: Match) -> None:
    match.status = Match.Status.LIVE
    match.started = timezone.now()


def _chosen(name: str) -> str:
    return clean_name(name) if name else ""


@dataclass(frozen=True)
class Writing:
    """Actions of one match that belong together (a move and the pass it forces), and who won."""

    serial: int
    actions: Sequence[StoredAction]
    winner: Seat | None


class Conflict(Exception):
    """An action of this version, or with this id, is in the database already."""


def write_actions(writings: Sequence[Writing]) -> None:
    """Write many matches' actions in one transaction: all of them, or none and `Conflict`."""
    first = writings[0]
    is_one_row = len(writings) == 1 and len(first.actions) == 1 and first.winner is None
    # A single row is in or out without a transaction around it, in a third of the statements.
    around = contextlib.nullcontext() if is_one_row else transaction.atomic()
    with around, connection.cursor() as cursor:
        _insert(cursor, writings)
        if cursor.rowcount != sum(len(writing.actions) for writing in writings):
            raise Conflict
        for winner in (1, 2):
            ended = [writing.serial for writing in writings if writing.winner == winner]
            if ended:
                cursor.execute(
                    f"UPDATE {Match._meta.db_table} SET status = 'finished', winner = %s, "
                    f"ended = %s WHERE serial IN ({', '.join(map(str, ended))})",
                    (winner, timezone.now()),
                )


_COLUMNS = "match_id, version, seat, move, decision, client_id, time"
_INSERT = f"INSERT INTO {Action._meta.db_table} ({_COLUMNS}) "
# A missing row tells of a conflict, where an exception would spoil the whole batch. The rows are
# counted and not returned: for each one that comes back, SQLite would let go of the interpreter
# and wait for it again.
_UNLESS_THERE = " ON CONFLICT DO NOTHING"


def _insert(cursor: Any, writings: Sequence[Writing]) -> None:
    rows = [
        (
            writing.serial,
            action.version,
            action.seat,
            None if action.move is None else str(action.move),
            action.decision,
            action.client_id,
            action.time,
        )
        for writing in writings
        for action in writing.actions
    ]
    if connection.vendor == "postgresql":
        # One JSON parameter costs less than seven for every row.
        cursor.execute(
            f"{_INSERT} SELECT (r->>0)::int8, (r->>1)::int, (r->>2)::int, r->>3, r->>4, r->>5, "
            f"(r->>6)::float8 FROM jsonb_array_elements(%s::jsonb) r {_UNLESS_THERE}",
            [msgspec.json.encode(rows).decode()],
        )
    else:
        places = ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(rows))
        cursor.execute(
            f"{_INSERT} VALUES {places} {_UNLESS_THERE}", [value for row in rows for value in row]
        )


def is_written(writing: Writing) -> bool:
    """Whether these very actions are in, after a commit whose outcome nobody heard."""
    first = writing.actions[0]
    return Action.objects.filter(
        match_id=writing.serial,
        version=first.version,
        seat=first.seat,
        client_id=first.client_id,
    ).exists()


def close_stale(now: datetime) -> tuple[int, int]:
    """End invitations nobody took and matches nobody goes on with; how many of each."""
    expired = Match.objects.filter(
        status=Match.Status.OPEN, created__lt=now - INVITATION_LIVES
    ).update(status=Match.Status.EXPIRED, ended=now)
    limit = now - UNFINISHED_AFTER
    moved = Action.objects.filter(match=OuterRef("serial"), time__gte=limit.timestamp())
    unfinished = Match.objects.filter(
        ~Q(Exists(moved)), status=Match.Status.LIVE, started__lt=limit
    ).update(status=Match.Status.UNFINISHED, ended=now)
    return expired, unfinished


def sweep(now: datetime) -> dict[str, int]:
    """Give old data its end; how many of each. Matches that were played are kept for good.

    In small steps, so that no move waits for it. Sessions need no sweeping: they are signed
    cookies, and nothing of them is stored but the guest.
    """
    expired, unfinished = close_stale(now)
    untaken = Match.objects.filter(
        status__in=[Match.Status.EXPIRED, Match.Status.CANCELLED], ended__lt=now - KEPT_FOR
    )
    seated = Match.objects.filter(Q(seat_1=OuterRef("pk")) | Q(seat_2=OuterRef("pk")))
    idle = Guest.objects.filter(~Q(Exists(seated)), created__lt=now - KEPT_FOR, level="")
    return {
        "invitations expired": expired,
        "matches closed as unfinished": unfinished,
        "old invitations removed": _remove(untaken),
        "guests without a match removed": _remove(idle),
    }


def _remove(rows: QuerySet[Any]) -> int:
    """Delete what still fits the query when it is its turn."""
    removed = 0
    while keys := list(rows.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
        with contextlib.suppress(IntegrityError):
            # Somebody sat down between the question and the deletion; the next look tells.
            removed += rows.filter(pk__in=keys).delete()[0]
    return removed
