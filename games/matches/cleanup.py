"""Close and delete expired data."""

import contextlib
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Action, Guest, Match

INVITATION_LIVES = timedelta(days=14)
UNFINISHED_AFTER = timedelta(days=30)
# Invitations nobody took, and guests who never took a seat, are kept this long.
KEPT_FOR = timedelta(days=30)
SWEPT_AT_ONCE = 500


def close_stale(now: datetime) -> tuple[int, int]:
    """Close expired invitations and abandoned matches; return how many of each."""
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
    """Close and delete expired data; return how many of each. Played matches are kept for good.

    It deletes in small batches, so that no move waits for it. There are no sessions to delete:
    a session is a signed cookie, and the database holds only the guest.
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
    """Delete the rows in batches; each row must still match the query when its turn comes."""
    removed = 0
    while keys := list(rows.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
        with contextlib.suppress(IntegrityError):
            # A guest took a seat between the query and the deletion. The next query skips them.
            removed += rows.filter(pk__in=keys).delete()[0]
    return removed
