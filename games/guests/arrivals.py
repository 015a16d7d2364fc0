"""A device becomes a guest's: by a link from another device, or by a recovery code.

If the device already has a guest with matches, nothing happens before its owner has chosen: both
histories together, or leave the old one behind.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from games.guests import device_links, devices, merging, recovery
from games.guests.labels import Kind
from games.matches.identity import Who
from games.models import Guest, Match
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

HAS_GUEST = Template(
    _(
        "On this device you've played as {name} (matches: {here}). You're about to become {other} "
        "(matches: {there}). Keep both together, or leave the old ones behind?"
    )
)
SAME_GUEST = Template(_("You're already signed in on this device. Open the link on another one."))


class Arrival(NamedTuple):
    """Who the device is now, and the guest who has to be merged into them, if any."""

    guest: Guest
    old: Guest | None


def by_link(secret: str, *, current: Who | None, merge: bool | None, kind: Kind) -> Arrival:
    """Redeem a link on a device that was `current` until now."""
    link = device_links.find(secret)
    return _arrive(link.guest, current, merge, kind, lambda: device_links.use(link))


def by_code(typed: str, *, current: Who | None, merge: bool | None, kind: Kind) -> Arrival:
    """Redeem a recovery code. It stays valid."""
    code = recovery.clean(typed)
    return _arrive(recovery.guest_with_code(code), current, merge, kind, lambda: None)


def _arrive(
    guest: Guest, current: Who | None, merge: bool | None, kind: Kind, use: Callable[[], None]
) -> Arrival:
    old = _guest_to_merge(guest, current, merge)
    with transaction.atomic():
        # Always in the same order, or two merges could wait for each other.
        ids = [guest.pk] if old is None else sorted((guest.pk, old.pk))
        rows = {guest_id: devices.locked(guest_id) for guest_id in ids}
        into = rows[guest.pk]
        if into is None or into.is_leaving:
            raise device_links.wrong_link()
        use()
        device = devices.add(into, kind)
        old = rows[old.pk] if old else None
        if old is not None and current is not None and not old.is_leaving:
            merging.begin(old, into, current.device, device)
    into.device = device.number
    return Arrival(into, old)


def _guest_to_merge(guest: Guest, current: Who | None, merge: bool | None) -> Guest | None:
    """Return the guest that this device has been, if they should be merged."""
    old = Guest.objects.filter(pk=current.guest_id).first() if current else None
    if current is None or old is None or old.is_signed_out(current.device):
        return None
    if old.pk == guest.pk:
        raise Refusal("same_guest", SAME_GUEST(), 409)
    here = matches_of(old)
    if not here or merge is False:
        return None
    if merge is None:
        there = matches_of(guest)
        text = HAS_GUEST(here=here, name=old.shown_name, there=there, other=guest.shown_name)
        raise Refusal("has_guest", text, 409)
    return old


def matches_of(guest: Guest) -> int:
    """Count a guest's matches."""
    # One query for each seat, because each has an index.
    first = Match.objects.filter(seat_1=guest.pk)
    both = first.filter(seat_2=guest.pk)
    return first.count() + Match.objects.filter(seat_2=guest.pk).count() - both.count()
