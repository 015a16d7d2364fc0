"""Merge two guests of the same person: one gets everything that the other has.

`begin` decides it in one transaction, together with the link or code that asks for it. From then
on the old guest can't act, and `steps` moves their matches, a few at a time. If the process dies in
between, the next sweep goes on.
"""

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from games.guests import belongings, devices
from games.models import ALL_DEVICES, Device, FormerToken, Guest, Match

MOVED_AT_ONCE = 50

# Pages of these are open, perhaps.
GOING_ON = (Match.Status.OPEN, Match.Status.LIVE)


def begin(old: Guest, into: Guest, number: int, device: Device) -> None:
    """Hand over everything but the matches. Both rows are locked.

    `number` was the number of the device that asks for it, and `device` is what it is now.
    """
    former = Device.objects.filter(guest=old.pk, number=number).first()
    if former is not None:
        FormerToken.objects.filter(device=former).update(device=device)
        former.delete()
    devices.end_tokens(old)
    _remember_token(old, number, device)
    others = list(Device.objects.filter(guest=old.pk).order_by("number"))
    if number and not old.is_signed_out(0) and all(other.number for other in others):
        # The first device has no row if it wasn't used since there are any.
        today = timezone.now().date()
        others.append(Device(guest=old, number=0, created=today, seen=today))
    for other in others:
        was, other.number, other.guest = other.number, devices.free_number(into), into
        other.save()
        _remember_token(old, was, other)
    belongings.hand_over(old, into)
    # Somebody who is being merged into the old guest gets the new one instead.
    Guest.objects.filter(merged_into=old.pk).update(merged_into=into.pk)
    old.merged_into, old.signed_out, old.signed_out_at = into, ALL_DEVICES, timezone.now()
    old.save(update_fields=["merged_into", "signed_out", "signed_out_at"])
    if old.kept:
        Guest.objects.filter(pk=into.pk).update(kept=True)


def _remember_token(old: Guest, number: int, device: Device) -> None:
    FormerToken.objects.update_or_create(
        guest_id=old.pk,
        number=number,
        defaults={"device": device, "since": timezone.now().date()},
    )


def steps(old: Guest, into_id: int) -> Iterator[list[str]]:
    """Move the old guest's matches; yield the ids of those that go on, after each step."""
    for seat in ("seat_1", "seat_2"):
        theirs = Match.objects.filter(**{seat: old.pk})
        while rows := list(theirs.values_list("pk", "status")[:MOVED_AT_ONCE]):
            with transaction.atomic():
                theirs.filter(pk__in=[pk for pk, _ in rows]).update(**{seat: into_id})
            yield [pk for pk, status in rows if status in GOING_ON]
