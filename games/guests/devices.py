"""A guest's devices: which there are, when they were last used, and signing them out.

A device's number is never used twice, because the tokens of a device that was signed out stay
signed. Every write locks the guest's row first.
"""

from collections import OrderedDict
from collections.abc import Iterable
from datetime import date, timedelta
from threading import Lock

from django.db import transaction
from django.utils import timezone

from games.guests import subscriptions
from games.guests.labels import Kind
from games.matches import identity, services
from games.matches.identity import MOST_DEVICES, SignedOut, Who
from games.models import Device, DeviceLink, FormerToken, Guest
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

TOO_MANY_DEVICES = Template(
    _("You've used {most} devices, and there's no room for another. Keep playing on one of them.")
)
NO_SUCH_DEVICE = Template(_("There is no such device, or it was already signed out."))

# How many devices we remember as used today.
MOST_REMEMBERED = 20_000
# How many rows a sweep deletes at a time.
DELETED_AT_ONCE = 50


class Today:
    """The devices that were used today, so that each is written down once a day."""

    def __init__(self) -> None:
        self._used: OrderedDict[Who, date] = OrderedDict()
        self._lock = Lock()

    def is_new(self, who: Who, today: date) -> bool:
        """Remember that a device was used; return whether this is the first time today."""
        with self._lock:
            known = self._used.pop(who, None)
            self._used[who] = today
            if len(self._used) > MOST_REMEMBERED:
                self._used.popitem(last=False)
            return known != today


_used_today = Today()


def locked(guest_id: int) -> Guest | None:
    """Return a guest's row and lock it until the transaction ends."""
    return Guest.objects.select_for_update(no_key=True).filter(pk=guest_id).first()


def of(guest: Guest, kind: Kind | None = None) -> list[Device]:
    """Return a guest's devices, the one that was used last first.

    With the kind of this device, those that have no row yet are among them.
    """
    found = list(Device.objects.filter(guest=guest.pk))
    if kind is not None:
        there, today = {device.number for device in found}, timezone.now().date()
        first = guest.created.date() if guest.created else today
        if guest.device not in there:
            found.append(Device(number=guest.device, **kind._asdict(), created=first, seen=today))
        if 0 not in {*there, guest.device} and not guest.is_signed_out(0):
            found.append(Device(number=0, created=first, seen=first))
    return sorted(found, key=lambda device: (device.seen, device.number), reverse=True)


def saw(guest: Guest, kind: Kind) -> None:
    """Note that a guest has used this device today, if it is written down at all."""
    today = timezone.now().date()
    if _used_today.is_new(guest.who, today):
        these = Device.objects.filter(guest=guest.pk, number=guest.device)
        these.update(**kind._asdict(), seen=today)


def write_down(guest: Guest, kind: Kind) -> None:
    """Store what this device is called, because the guest is about to have more than one.

    Most guests never have, and nothing is stored about their device.
    """
    with transaction.atomic():
        services.store(guest)
        _save(guest.pk, guest.device, kind)


def add(guest: Guest, kind: Kind) -> Device:
    """Give a guest, whose row is locked, one more device."""
    return _save(guest.pk, free_number(guest), kind)


def next_number(guest: Guest) -> int:
    """Return a number that no device of this guest has ever had."""
    there = list(Device.objects.filter(guest=guest.pk).values_list("number", flat=True))
    # The first device may have no row, and signed-out ones have a bit only.
    return max([0, guest.signed_out.bit_length() - 1, *there]) + 1


def free_number(guest: Guest) -> int:
    """Return the number of a guest's next device, or raise a `Refusal` if there is no room."""
    number = next_number(guest)
    if number >= MOST_DEVICES:
        raise Refusal("too_many_devices", TOO_MANY_DEVICES(most=MOST_DEVICES), 409)
    return number


def _save(guest_id: int, number: int, kind: Kind) -> Device:
    today = timezone.now().date()
    device, _is_new = Device.objects.update_or_create(
        guest_id=guest_id,
        number=number,
        defaults={**kind._asdict(), "seen": today},
        create_defaults={**kind._asdict(), "seen": today, "created": today},
    )
    return device


def sign_out(guest: Guest, number: int) -> int:
    """Sign one device out; return the new mask of signed-out devices."""
    with transaction.atomic():
        stored = _acting(guest)
        is_there = number == 0 or Device.objects.filter(guest=guest.pk, number=number).exists()
        if not is_there or stored.is_signed_out(number):
            raise Refusal("no_such_device", NO_SUCH_DEVICE(), 404)
        return _mark(stored, [number])


def sign_out_others(guest: Guest) -> int:
    """Sign out every device but this one, and cancel the links that would add one."""
    with transaction.atomic():
        stored = _acting(guest)
        there = {0, *Device.objects.filter(guest=guest.pk).values_list("number", flat=True)}
        DeviceLink.objects.filter(guest=guest.pk).delete()
        return _mark(stored, there - {guest.device})


def _acting(guest: Guest) -> Guest:
    """Return the locked row of the guest who acts; raise `SignedOut` if they may not."""
    return services.store(guest)


def _mark(stored: Guest, numbers: Iterable[int]) -> int:
    for number in numbers:
        stored.signed_out |= 1 << number
    stored.signed_out_at = timezone.now()
    stored.save(update_fields=["signed_out", "signed_out_at"])
    gone = [number for number in range(MOST_DEVICES) if stored.is_signed_out(number)]
    Device.objects.filter(guest=stored.pk, number__in=gone).delete()
    subscriptions.end_all(stored.pk)
    return stored.signed_out


def end_tokens(guest: Guest) -> None:
    """Make sure that no token of a guest who goes brings them back."""
    today = timezone.now().date()
    FormerToken.objects.bulk_create(
        [
            FormerToken(guest_id=guest.pk, number=number, since=today)
            for number in range(next_number(guest))
        ],
        ignore_conflicts=True,
    )


def delete_expired_tokens() -> int:
    """Delete what we know about a few tokens that have expired; return how many."""
    limit = timezone.now().date() - timedelta(seconds=identity.MAX_AGE)
    expired = FormerToken.objects.filter(since__lt=limit).order_by("since")
    keys = list(expired.values_list("pk", flat=True)[:DELETED_AT_ONCE])
    return FormerToken.objects.filter(pk__in=keys).delete()[0]


def moved_to(who: Who) -> Guest | None:
    """Return the guest, with the device's number, into whom the guest of this token was merged."""
    rows = FormerToken.objects.filter(guest_id=who.guest_id, number=who.device)
    former = rows.select_related("device__guest").first()
    if former is None or former.device is None:
        return None
    guest = former.device.guest
    guest.device = former.device.number
    return None if guest.is_signed_out(guest.device) else guest


def stored_guest(who: Who) -> Guest:
    """Return the guest with this token, as stored or, before their first seat, as they will be.

    Raises `SignedOut` if the token is no longer valid.
    """
    stored = Guest.objects.filter(pk=who.guest_id).first()
    if stored is not None and stored.is_signed_out(who.device):
        raise SignedOut
    if stored is None:
        if FormerToken.objects.filter(guest_id=who.guest_id, number=who.device).exists():
            raise SignedOut
        return services.guest_with(*who)
    stored.device = who.device
    return stored
