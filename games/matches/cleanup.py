"""Close and delete expired data, in steps small enough that no move waits for them."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

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
LOOKED_AT_ONCE = 50

# What a sweep does, as it reports it.
EXPIRED = "invitations expired"
UNFINISHED = "matches closed as unfinished"
INVITATIONS = "old invitations removed"
UNUSED = "matches without a move removed"
GUESTS = "guests without a match removed"
CLOSING = {EXPIRED: Match.Status.EXPIRED, UNFINISHED: Match.Status.UNFINISHED}

# Says what is due for a row; None if nothing is.
Due = Callable[[Any], str | None]


def sweep(now: datetime) -> Counter[str]:
    """Take all steps; return how many rows of each kind were closed or deleted."""
    done = Counter(dict.fromkeys((EXPIRED, UNFINISHED, INVITATIONS, UNUSED, GUESTS), 0))
    for step in steps(now):
        done.update(step)
    return done


def steps(now: datetime) -> Iterator[Counter[str]]:
    """Close and delete expired data, looking at a few rows with each step; yield what it did.

    Several processes may do this at the same time. Matches in which somebody moved are kept for
    good. There are no sessions to delete: a session is a signed cookie.
    """
    computers = set(Guest.objects.exclude(level="").values_list("pk", flat=True))
    yield from _through(_matches(), "serial", lambda row: _due_for_match(row, computers, now), now)
    yield from _through(_guests(), "pk", lambda row: _due_for_guest(row, now), now)


def _matches() -> QuerySet[Match]:
    actions = Action.objects.filter(match=OuterRef("serial"))
    moves = actions.filter(move__isnull=False)
    return Match.objects.annotate(
        moved_1=Exists(moves.filter(seat=1)),
        moved_2=Exists(moves.filter(seat=2)),
        last=Subquery(actions.order_by("-version").values("time")[:1]),
    )


def _due_for_match(row: Any, computers: set[int], now: datetime) -> str | None:
    if row.status == Match.Status.OPEN:
        return EXPIRED if _is_older(row.created, now - INVITATION_LIVES) else None
    if row.status in (Match.Status.EXPIRED, Match.Status.CANCELLED):
        return INVITATIONS if _is_older(row.ended, now - KEPT_FOR) else None
    people = [seat for seat in (1, 2) if getattr(row, f"seat_{seat}_id") not in computers]
    if not any(getattr(row, f"moved_{seat}") for seat in people):
        is_alone = row.same_device or len(people) < 2
        if is_alone and _is_older(row.created, now - UNUSED_KEPT_FOR):
            return UNUSED
        if _is_older(row.ended, now - KEPT_FOR):
            return UNUSED
    limit = now - UNFINISHED_AFTER
    is_abandoned = _is_older(row.started, limit) and (row.last or 0) < limit.timestamp()
    return UNFINISHED if row.status == Match.Status.LIVE and is_abandoned else None


def _is_older(time: datetime | None, limit: datetime) -> bool:
    return time is not None and time < limit


def _guests() -> QuerySet[Guest]:
    return Guest.objects.annotate(
        plays_1=Exists(Match.objects.filter(seat_1=OuterRef("pk"))),
        plays_2=Exists(Match.objects.filter(seat_2=OuterRef("pk"))),
    )


def _due_for_guest(row: Any, now: datetime) -> str | None:
    is_idle = not (row.plays_1 or row.plays_2 or row.level)
    return GUESTS if is_idle and _is_older(row.created, now - KEPT_FOR) else None


def _through(rows: QuerySet[Any], order: str, due: Due, now: datetime) -> Iterator[Counter[str]]:
    """Look at all rows, a few at a time, and do what is due.

    Conditions on the rows are checked here and not in SQL: with a condition on the status, SQLite
    would go through all matches of that status for each part.
    """
    last = -1
    while part := list(rows.filter(**{f"{order}__gt": last}).order_by(order)[:LOOKED_AT_ONCE]):
        last = getattr(part[-1], order)
        keys = [row.pk for row in part if due(row)]
        yield _do(rows, keys, due, now) if keys else Counter()


def _do(rows: QuerySet[Any], keys: list[Any], due: Due, now: datetime) -> Counter[str]:
    """Do what is due for the rows with these keys; return how many of each kind."""
    table = rows.model.objects
    with transaction.atomic():
        # Somebody may just have moved or taken a seat: lock the rows, then look again.
        list(table.select_for_update().filter(pk__in=keys).values_list("pk"))
        todo: dict[str, list[Any]] = {}
        for row in rows.filter(pk__in=keys):
            if what := due(row):
                todo.setdefault(what, []).append(row.pk)
        for what, these in todo.items():
            if what in CLOSING:
                table.filter(pk__in=these).update(status=CLOSING[what], ended=now)
            else:
                table.filter(pk__in=these).delete()
    return Counter({what: len(these) for what, these in todo.items()})
