"""Close and delete expired data, in steps small enough that no move waits for them."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery

from games.matches.identity import MAX_AGE
from games.matches.selectors import computer_ids
from games.models import Action, Guest, Match

INVITATION_LIVES = timedelta(days=14)
UNFINISHED_AFTER = timedelta(days=30)
# Invitations nobody took, matches between people in which nobody moved, and guests without a match
# are kept this long.
KEPT_FOR = timedelta(days=30)
# Matches on one device or against the computer in which nobody moved are kept this long. One
# person can create them in a loop, by resigning and asking for a rematch.
UNUSED_KEPT_FOR = timedelta(days=1)
TOKENS_LIVE = timedelta(seconds=MAX_AGE)
# How many rows a step looks at, and how many it changes. Moves wait while rows are locked: deleting
# fifty matches takes 10 to 20 ms, and looking at them 1 ms.
LOOKED_AT_ONCE = 50
CHANGED_AT_ONCE = 10

# What a sweep does, as it reports it.
EXPIRED = "invitations expired"
UNFINISHED = "matches closed as unfinished"
INVITATIONS = "old invitations removed"
UNUSED = "matches without a move removed"
GUESTS = "guests without a match removed"
# Not reported, because nobody will notice: from now on, sweeps skip this row.
KEEPING = "kept for good"
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
    good, and no sweep looks at them again: most matches are, so a sweep would take longer every
    day. There are no sessions to delete: a session is a signed cookie.
    """
    computers = set(computer_ids())
    yield Counter()
    yield from _through(_matches(), "serial", lambda row: _due_for_match(row, computers, now), now)
    yield from _through(_guests(), "pk", lambda row: _due_for_guest(row, now), now)


def _matches() -> QuerySet[Match]:
    # Not with `Exists`: PostgreSQL may decide to read all actions of the database for it.
    actions = Action.objects.filter(match=OuterRef("serial"))
    moves = actions.filter(move__isnull=False).values("seat")
    return Match.objects.filter(kept=False).annotate(
        moved_1=Subquery(moves.filter(seat=1)[:1]),
        moved_2=Subquery(moves.filter(seat=2)[:1]),
        last=Subquery(actions.order_by("-version").values("time")[:1]),
    )


def _due_for_match(row: Any, computers: set[int], now: datetime) -> str | None:
    if row.status == Match.Status.OPEN:
        return EXPIRED if _is_older(row.created, now - INVITATION_LIVES) else None
    if row.status in (Match.Status.EXPIRED, Match.Status.CANCELLED):
        return INVITATIONS if _is_older(row.ended, now - KEPT_FOR) else None
    people = [seat for seat in (1, 2) if getattr(row, f"seat_{seat}_id") not in computers]
    if any(getattr(row, f"moved_{seat}") for seat in people):
        if row.status != Match.Status.LIVE:
            return KEEPING
    else:
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


def _is_newer(time: datetime | None, limit: datetime) -> bool:
    return time is not None and time >= limit


def _guests() -> QuerySet[Guest]:
    def kept(seat: str) -> Subquery:
        """Return whether any of a guest's matches in this seat is kept; None if there is none."""
        matches = Match.objects.filter(**{seat: OuterRef("pk")})
        return Subquery(matches.order_by("-kept").values("kept")[:1])

    # The computer plays in far too many matches to look through.
    people = Guest.objects.filter(kept=False, level="")
    return people.annotate(keeps_1=kept("seat_1"), keeps_2=kept("seat_2"))


def _due_for_guest(row: Any, now: datetime) -> str | None:
    if row.keeps_1 or row.keeps_2:
        return KEEPING
    if _is_newer(row.signed_out_at, now - TOKENS_LIVE):
        # Without the row, the tokens of devices that were signed out would be valid again.
        return None
    is_idle = row.keeps_1 is None and row.keeps_2 is None
    return GUESTS if is_idle and _is_older(row.created, now - KEPT_FOR) else None


def _through(rows: QuerySet[Any], order: str, due: Due, now: datetime) -> Iterator[Counter[str]]:
    """Look at all rows, a few at a time, and do what is due, even fewer at a time.

    Conditions on the rows are checked here and not in SQL: with a condition on the status, SQLite
    would go through all matches of that status for each part.
    """
    last = -1
    while part := list(rows.filter(**{f"{order}__gt": last}).order_by(order)[:LOOKED_AT_ONCE]):
        last = getattr(part[-1], order)
        keys = [row.pk for row in part if due(row)]
        yield Counter()
        for start in range(0, len(keys), CHANGED_AT_ONCE):
            yield _do(rows, keys[start : start + CHANGED_AT_ONCE], due, now)


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
            if what == KEEPING:
                table.filter(pk__in=these).update(kept=True)
            elif what in CLOSING:
                table.filter(pk__in=these).update(status=CLOSING[what], ended=now)
            else:
                table.filter(pk__in=these).delete()
    todo.pop(KEEPING, None)
    return Counter({what: len(these) for what, these in todo.items()})
