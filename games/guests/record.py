"""A guest's record: what they have played and won, from the tallies. One query each."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction

from games.guests.tallies import PEOPLE, oldest_week, week_of
from games.models import Tally, TallyWeek
from games.rules import GAMES
from games.solver import LEVELS

# People first, then the computer's levels, the easiest first.
KINDS = (PEOPLE, *LEVELS)


def record_of(guest_id: int) -> dict[str, dict[str, Any]]:
    """Return a guest's figures for each game they have played, in the order of the catalogue.

    `longest_run` of a game is the longest against one kind of opponent. `accuracy` is the average
    over the matches that were reviewed, in per cent; None if none was.
    """
    tallies = list(Tally.objects.filter(guest=guest_id))
    record = {}
    for slug in GAMES:
        of_game = {tally.kind: tally for tally in tallies if tally.game == slug}
        if of_game:
            kinds = {kind: of_game[kind] for kind in KINDS if kind in of_game}
            beaten = [kind for kind, tally in kinds.items() if kind in LEVELS and tally.won]
            record[slug] = {
                **_figures(kinds.values()),
                "best_level": beaten[-1] if beaten else None,
                "kinds": {
                    kind: {**_figures([tally]), "run": tally.run} for kind, tally in kinds.items()
                },
            }
    return record


def _figures(tallies: Iterable[Tally]) -> dict[str, Any]:
    tallies = list(tallies)
    played, won = (sum(getattr(tally, name) for tally in tallies) for name in ("played", "won"))
    reviewed = sum(tally.accuracy_count for tally in tallies)
    accuracy = sum(tally.accuracy_sum for tally in tallies)
    return {
        "played": played,
        "won": won,
        "win_rate": round(100 * won / played) if played else None,
        "longest_run": max(tally.best_run for tally in tallies),
        "accuracy": round(accuracy / reviewed) if reviewed else None,
    }


class Week(NamedTuple):
    monday: date
    played: int
    won: int


def weeks_of(guest_id: int, now: datetime, count: int) -> list[Week]:
    """Return the last weeks up to this one, those without a match too; empty if all are."""
    stored = {
        row.week: row
        for row in TallyWeek.objects.filter(guest=guest_id, week__gte=oldest_week(now))
    }
    last = week_of(now)
    mondays = [last - timedelta(weeks=back) for back in reversed(range(count))]
    weeks = [
        Week(monday, stored[monday].played, stored[monday].won)
        if monday in stored
        else Week(monday, 0, 0)
        for monday in mondays
    ]
    return weeks if any(week.played for week in weeks) else []


def merge(into: int, source: int) -> None:
    """Add one guest's record to another's and delete it, because they are the same person.

    Of each kind, the present run is the one of whoever played last.
    """
    with transaction.atomic():
        rows = Tally.objects.select_for_update().filter(guest__in=(into, source)).order_by("pk")
        by_guest: dict[int, dict[tuple[str, str], Tally]] = {into: {}, source: {}}
        for tally in rows:
            by_guest[tally.guest_id][tally.game, tally.kind] = tally
        for key, tally in by_guest[source].items():
            known = by_guest[into].get(key)
            if known is None:
                tally.guest_id = into
                tally.save(update_fields=["guest"])
            else:
                _add(known, tally)
                tally.delete()
        _merge_weeks(into, source)


def _add(known: Tally, tally: Tally) -> None:
    for name in ("played", "won", "accuracy_sum", "accuracy_count"):
        setattr(known, name, getattr(known, name) + getattr(tally, name))
    known.best_run = max(known.best_run, tally.best_run)
    if tally.last > known.last:
        known.run, known.last = tally.run, tally.last
    known.save()


def _merge_weeks(into: int, source: int) -> None:
    rows = TallyWeek.objects.select_for_update().filter(guest__in=(into, source)).order_by("pk")
    by_guest: dict[int, dict[date, TallyWeek]] = {into: {}, source: {}}
    for row in rows:
        by_guest[row.guest_id][row.week] = row
    for week, row in by_guest[source].items():
        known = by_guest[into].get(week)
        if known is None:
            row.guest_id = into
            row.save(update_fields=["guest"])
        else:
            known.played, known.won = known.played + row.played, known.won + row.won
            known.save()
            row.delete()


def export(guest_id: int) -> dict[str, Any]:
    """Return everything stored about a guest's record, for their download."""
    weeks = TallyWeek.objects.filter(guest=guest_id).order_by("week")
    return {
        "record": record_of(guest_id),
        "weeks": [
            {"week": row.week.isoformat(), "played": row.played, "won": row.won} for row in weeks
        ],
    }
