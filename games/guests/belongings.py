"""What belongs to a guest besides their matches: handed over in a merge, deleted with the guest.

Every table with a key to a guest is named here, and a test fails if one is missing. Deleting needs
no entry, because those keys cascade. What a guest can download is in `data.py`.
"""

from collections.abc import Callable

from games.guests import record, subscriptions
from games.models import (
    Device,
    DeviceLink,
    Guest,
    Match,
    PushSubscription,
    RecoveryCode,
    Tally,
    TallyWeek,
)


def keep_codes(old: Guest, into: Guest) -> None:
    """Both codes stay valid: one of them may be on a piece of paper somewhere."""
    RecoveryCode.objects.filter(guest=old.pk).update(guest=into.pk)


def drop_links(old: Guest, into: Guest) -> None:
    DeviceLink.objects.filter(guest=old.pk).delete()


def add_record(old: Guest, into: Guest) -> None:
    record.merge(into.pk, old.pk)


def keep_subscriptions(old: Guest, into: Guest) -> None:
    subscriptions.merge(into.pk, old.pk)


def keep_name(old: Guest, into: Guest) -> None:
    """Somebody who has chosen a name only as the old guest keeps it."""
    if old.chosen and not into.chosen:
        Guest.objects.filter(pk=into.pk).update(chosen=old.chosen)


# What to do with the rows of each table when one guest is merged into another.
HANDED_OVER: dict[type, Callable[[Guest, Guest], None]] = {
    RecoveryCode: keep_codes,
    DeviceLink: drop_links,
    Tally: add_record,
    PushSubscription: keep_subscriptions,
}
# These have modules of their own: merging.py.
ELSEWHERE: set[type] = {Guest, Match, Device}
# Handed over together with another table.
TOGETHER: set[type] = {TallyWeek}


def hand_over(old: Guest, into: Guest) -> None:
    keep_name(old, into)
    for work in HANDED_OVER.values():
        work(old, into)
