"""Close and delete expired data, in steps small enough that no move waits for them."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from games.models import Action, Guest, Match

INVITATION_LIVES = timedelta(days=14)
UNFINISHED_AFTER = timedelta(days=30)
# Invitations nobody took, matches between people in which nobody moved, and guests without a match
# are kept this long.
KEPT_FOR = timedelta(days=30)
# Matches on one device or against the computer in which nobody moved are kept this long. One
# person can create them in a loop, by resigning and asking for a rematch.
UNUSED_KEPT_FOR = timedelta(days=1)
# How many rows a step looks at.
LOOKED_AT_ONCE = 200

EXPIRED = "invitations expired"
UNFINISHED = "matches closed as unfinished"
INVITATIONS = "old invitations removed"
UNUSED = "matches without a move removed"
GUESTS = "guests without a match removed"


def sweep(now: datetime) -> Counter[str]:
    """Take all steps; return how many rows of each kind were closed or deleted."""
    done = Counter(dict.fromkeys((EXPIRED, UNFINISHED, INVITATIONS, UNUSED, GUESTS), 0))
    for step in steps(now):
        done.update(step)
    return done


def steps(now: datetime) -> Iterator[dict[str, int]]:
    """Close and delete expired data, a few rows with each step; yield what the step did.

    Several processes may do this at the same time. Matches in which somebody moved are kept for
    good. There are no sessions to delete: a session is a signed cookie.
    """
    expired, unfinished = _expired(now), _unfinished(now)
    invitations, unused = _old_invitations(now), _unused(now)
    for keys in _parts(Match, "serial"):
        yield {
            EXPIRED: expired.filter(pk__in=keys).update(status=Match.Status.EXPIRED, ended=now),
            UNFINISHED: unfinished.filter(pk__in=keys).update(
                status=Match.Status.UNFINISHED, ended=now
            ),
            INVITATIONS: _delete(invitations, keys),
            UNUSED: _delete(unused, keys),
        }
    idle = _idle_guests(now)
    for keys in _parts(Guest, "pk"):
        yield {GUESTS: _delete(idle, keys)}


def _expired(now: datetime) -> QuerySet[Match]:
    return Match.objects.filter(status=Match.Status.OPEN, created__lt=now - INVITATION_LIVES)


def _unfinished(now: datetime) -> QuerySet[Match]:
    limit = now - UNFINISHED_AFTER
    moved = Action.objects.filter(match=OuterRef("serial"), time__gte=limit.timestamp())
    return Match.objects.filter(~Q(Exists(moved)), status=Match.Status.LIVE, started__lt=limit)


def _old_invitations(now: datetime) -> QuerySet[Match]:
    closed = [Match.Status.EXPIRED, Match.Status.CANCELLED]
    return Match.objects.filter(status__in=closed, ended__lt=now - KEPT_FOR)


def _unused(now: datetime) -> QuerySet[Match]:
    """Return the matches in which no person has moved, whether they were resigned or not."""
    computers = list(Guest.objects.exclude(level="").values_list("pk", flat=True))
    moves = Action.objects.filter(match=OuterRef("serial"), move__isnull=False)
    return Match.objects.filter(
        Q(seat_1__in=computers) | ~Q(Exists(moves.filter(seat=1))),
        Q(seat_2__in=computers) | ~Q(Exists(moves.filter(seat=2))),
        Q(ended__lt=now - KEPT_FOR)
        | Q(
            Q(same_device=True) | Q(seat_1__in=computers) | Q(seat_2__in=computers),
            created__lt=now - UNUSED_KEPT_FOR,
        ),
        status__in=[Match.Status.LIVE, Match.Status.FINISHED, Match.Status.UNFINISHED],
    )


def _idle_guests(now: datetime) -> QuerySet[Guest]:
    seated = Match.objects.filter(Q(seat_1=OuterRef("pk")) | Q(seat_2=OuterRef("pk")))
    return Guest.objects.filter(~Q(Exists(seated)), created__lt=now - KEPT_FOR, level="")


def _parts(model: type[Model], order: str) -> Iterator[list[Any]]:
    """Yield the primary keys of all rows, a few at a time."""
    last = -1
    rows = model._default_manager.order_by(order).values_list(order, "pk")
    while part := list(rows.filter(**{f"{order}__gt": last})[:LOOKED_AT_ONCE]):
        yield [key for _, key in part]
        last = part[-1][0]


def _delete(rows: QuerySet[Any], keys: list[Any]) -> int:
    """Delete those of the rows that have one of these keys; return how many."""
    due = list(rows.filter(pk__in=keys).values_list("pk", flat=True))
    if not due:
        return 0
    with transaction.atomic():
        # Somebody may just have moved or taken a seat: lock the rows, then look again.
        list(rows.model.objects.select_for_update().filter(pk__in=due).values_list("pk"))
        return rows.filter(pk__in=due).delete()[1].get(rows.model._meta.label, 0)
