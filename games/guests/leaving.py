"""Forget a guest: end their matches, cut the tie to all of them, and delete everything else.

Opponents keep their matches, with "a former player" in the other seat. `begin` decides it, and
`steps` does the work a few rows at a time. If the process dies in between, the next sweep goes on.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.guests import devices, merging
from games.matches import action_log, selectors, services
from games.matches.action_log import Conflict, Writing
from games.matches.loaded_match import LoadedMatch
from games.models import ALL_DEVICES, Guest, Match

CUT_AT_ONCE = 50
# Somebody else may move at the same time, but not this often.
MOST_ATTEMPTS = 20
# A sweep takes over from a process that died.
LEFT_ALONE_FOR = timedelta(minutes=10)


def begin(guest: Guest) -> Guest:
    """Sign all devices out, so that nothing more can happen in this guest's name."""
    with transaction.atomic():
        stored = services.store(guest)
        devices.end_tokens(stored)
        stored.signed_out, stored.signed_out_at = ALL_DEVICES, timezone.now()
        stored.save(update_fields=["signed_out", "signed_out_at"])
    return stored


def steps(guest: Guest) -> Iterator[list[str]]:
    """Delete a guest who is leaving; yield the ids of matches that others may have open."""
    for _ in range(MOST_ATTEMPTS):
        stored = Guest.objects.filter(pk=guest.pk).first()
        if stored is None or not stored.is_leaving:
            return
        if stored.merged_into_id is not None:
            yield from merging.steps(stored, stored.merged_into_id)
        else:
            yield from _end_matches(stored)
            yield from _cut_loose(stored)
        try:
            with transaction.atomic():
                stored.delete()
        except IntegrityError:
            # The opponent has just started a rematch that was agreed on before.
            continue


def _end_matches(guest: Guest) -> Iterator[list[str]]:
    """Resign what is being played, and cancel invitations."""
    for seat in ("seat_1", "seat_2"):
        theirs = Match.objects.filter(**{seat: guest.pk})
        for match_id in list(theirs.filter(status="live").values_list("pk", flat=True)):
            resign(match_id, guest.pk)
            yield [match_id]
        for match_id in list(theirs.filter(status="open").values_list("pk", flat=True)):
            Match.objects.filter(pk=match_id, status=Match.Status.OPEN).update(
                status=Match.Status.CANCELLED, ended=timezone.now()
            )
            yield [match_id]


def resign(match_id: str, guest_id: int) -> None:
    """Resign a match like any player: at its next version, if nobody else has taken that."""
    for _ in range(MOST_ATTEMPTS):
        stored = selectors.stored_match(match_id)
        if stored is None:
            return
        loaded = LoadedMatch(stored)
        row, turn = loaded.row, loaded.state.turn
        seats = [n for n, theirs in ((1, row.seat_1_id), (2, row.seat_2_id)) if theirs == guest_id]
        if not loaded.is_live or not seats:
            return
        seat = turn if turn in seats else seats[0]
        (entry,) = loaded.judge_decision(seat, "resign", f"left-{loaded.version}")
        assert entry.outcome is not None
        try:
            action_log.write_actions([Writing(row.serial, [entry.action], entry.outcome.winner)])
            return
        except Conflict:
            continue


def _cut_loose(guest: Guest) -> Iterator[list[str]]:
    """Take the guest and the names they chose out of matches that are over."""
    for number in (1, 2):
        seat = f"seat_{number}"
        theirs = Match.objects.filter(**{seat: guest.pk})
        over = theirs.exclude(status__in=merging.GOING_ON).values_list("pk", flat=True)
        while keys := list(over[:CUT_AT_ONCE]):
            with transaction.atomic():
                these = theirs.filter(pk__in=keys)
                these.filter(rematch_offer=number).update(rematch_offer=0)
                these.update(**{seat: None, f"name_{number}": ""})
            # Processes that have one of these loaded notice when they compare with the database.
            yield []


def unfinished(now: datetime) -> list[Guest]:
    """Return guests who were leaving when their process died."""
    limit = now - LEFT_ALONE_FOR
    return list(Guest.objects.filter(signed_out_at__lt=limit, signed_out=ALL_DEVICES)[:CUT_AT_ONCE])
