"""Adds finished matches to their players' records, a few at a time.

A match counts once, whatever crashes and however many processes do this: `Match.tallied` is set in
the transaction that adds it up. Counting rows when somebody asks would take longer every year.

What counts: finished matches, also those that were resigned or claimed, against people and against
the computer, for every player who made a move. Matches on one device don't, because one person
plays both sides.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from games.models import Action, Match, Tally, TallyWeek
from games.rules import Seat, other

# Against people, the kind of opponent is this; against the computer, it is its level.
PEOPLE = "people"
# How many matches a step counts. Rematches of these wait while it runs.
COUNTED_AT_ONCE = 10
# The chart goes back this far. Older weeks are deleted.
WEEKS_KEPT = 60

TALLIED = ("played", "won", "run", "best_run", "accuracy_sum", "accuracy_count", "last")


class Share(NamedTuple):
    """One player's share in one finished match."""

    guest_id: int
    game: str
    kind: str
    won: bool
    accuracy: int | None
    ended: datetime


def step() -> int:
    """Count the matches that ended first; return how many these were, 0 if all are counted.

    They are counted in the order in which they ended, or runs of wins would be wrong.
    """
    with transaction.atomic():
        # A process that does the same at the same time waits here, and then finds them counted.
        rows = list(_untallied().select_for_update(of=("self",), no_key=True)[:COUNTED_AT_ONCE])
        shares = [share for row in rows for share in _shares_of(row)]
        if shares:
            _add(shares)
            _add_weeks(shares)
        Match.objects.filter(pk__in=[row.pk for row in rows]).update(tallied=True)
    return len(rows)


def _untallied() -> QuerySet[Match]:
    """Return the matches that are over and not counted yet, those that ended first at the start.

    Invitations that were cancelled are among them. They count for nobody, and are then left out.
    """
    moves = Action.objects.filter(match=OuterRef("serial"), move__isnull=False).values("seat")
    return (
        Match.objects.filter(tallied__isnull=True, ended__isnull=False)
        .select_related("seat_1", "seat_2")
        .annotate(
            moved_1=Subquery(moves.filter(seat=1)[:1]), moved_2=Subquery(moves.filter(seat=2)[:1])
        )
        .order_by("ended", "serial")
    )


def _shares_of(row: Any) -> list[Share]:
    # After two guests became one, that guest may have both seats.
    if row.status != Match.Status.FINISHED or row.seat_1_id == row.seat_2_id:
        return []
    found = []
    for seat in (1, 2):
        kind = _kind_for(row, seat)
        if kind and getattr(row, f"moved_{seat}"):
            guest_id, accuracy = getattr(row, f"seat_{seat}_id"), getattr(row, f"accuracy_{seat}")
            won = row.winner == seat
            found.append(Share(guest_id, row.game, kind, won, accuracy, row.ended))
    return found


def _kind_for(row: Match, seat: Seat) -> str | None:
    """Return which kind of opponent this seat has; None if nobody's record contains it."""
    guests = {1: row.seat_1, 2: row.seat_2}
    guest, opponent = guests[seat], guests[other(seat)]
    if guest is None or guest.level:
        return None
    return (opponent.level if opponent else "") or PEOPLE


def _add(shares: Iterable[Share]) -> None:
    shares = list(shares)
    guests = {share.guest_id for share in shares}
    tallies = {
        (tally.guest_id, tally.game, tally.kind): tally
        for tally in Tally.objects.select_for_update().filter(guest__in=guests).order_by("pk")
    }
    known, changed = set(tallies), set()
    for share in shares:
        key = (share.guest_id, share.game, share.kind)
        if key not in tallies:
            guest_id, game, kind = key
            tallies[key] = Tally(guest_id=guest_id, game=game, kind=kind)
        changed.add(key)
        tally = tallies[key]
        tally.played += 1
        tally.won += share.won
        tally.run = tally.run + 1 if share.won else 0
        tally.best_run = max(tally.best_run, tally.run)
        tally.last = share.ended
        if share.accuracy is not None:
            tally.accuracy_sum += share.accuracy
            tally.accuracy_count += 1
    Tally.objects.bulk_create(tallies[key] for key in sorted(changed - known))
    with connection.cursor() as cursor:
        cursor.executemany(_UPDATE, [_values(tallies[key]) for key in sorted(changed & known)])


# Plain SQL, because moves wait for the database meanwhile: it takes a fifth of the ORM's time.
_UPDATE = (
    f"UPDATE {Tally._meta.db_table} SET {', '.join(f'{name} = %s' for name in TALLIED)} "
    "WHERE id = %s"
)
_COUNT = (
    f"INSERT INTO {TallyWeek._meta.db_table} AS known (guest_id, week, played, won) "
    "VALUES (%s, %s, %s, %s) ON CONFLICT (guest_id, week) DO UPDATE "
    "SET played = known.played + excluded.played, won = known.won + excluded.won"
)


def _values(tally: Tally) -> list[Any]:
    *numbers, last = (getattr(tally, name) for name in TALLIED)
    return [*numbers, connection.ops.adapt_datetimefield_value(last), tally.pk]


def _add_weeks(shares: Iterable[Share]) -> None:
    oldest = oldest_week(timezone.now())
    counts: dict[tuple[int, date], list[int]] = {}
    for share in shares:
        week = week_of(share.ended)
        if week >= oldest:
            count = counts.setdefault((share.guest_id, week), [0, 0])
            count[0] += 1
            count[1] += share.won
    with connection.cursor() as cursor:
        cursor.executemany(_COUNT, [(*key, *count) for key, count in sorted(counts.items())])
    guests = {guest_id for guest_id, _ in counts}
    TallyWeek.objects.filter(guest__in=guests, week__lt=oldest).delete()


def week_of(time: datetime) -> date:
    """Return the Monday of the week in which something happened."""
    day = time.date()
    return day - timedelta(days=day.weekday())


def oldest_week(now: datetime) -> date:
    return week_of(now) - timedelta(weeks=WEEKS_KEPT - 1)


def note_accuracy(match_id: str, accuracy: Iterable[dict[str, int]]) -> None:
    """Note how well both players of a reviewed match played. Only its first review counts.

    `accuracy` is the review's. Where no choice mattered there is nothing to note.
    """
    with transaction.atomic():
        row = (
            Match.objects.select_for_update(of=("self",), no_key=True)
            .select_related("seat_1", "seat_2")
            .filter(pk=match_id, status=Match.Status.FINISHED)
            .first()
        )
        if row is None or row.seat_1_id == row.seat_2_id:
            return
        for seat, judged in enumerate(accuracy, 1):
            name = f"accuracy_{seat}"
            if judged["mattered"] and getattr(row, name) is None:
                percent = round(100 * judged["kept"] / judged["mattered"])
                setattr(row, name, percent)
                # If the match isn't counted yet, `step` adds it.
                if row.tallied and (kind := _kind_for(row, seat)):
                    guest_id = row.seat_1_id if seat == 1 else row.seat_2_id
                    Tally.objects.filter(guest=guest_id, game=row.game, kind=kind).update(
                        accuracy_sum=F("accuracy_sum") + percent,
                        accuracy_count=F("accuracy_count") + 1,
                    )
        row.save(update_fields=["accuracy_1", "accuracy_2"])
