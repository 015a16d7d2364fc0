"""Links that make another device the same guest: valid for five minutes, and used once."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.guests.keyed_hashes import keyed_hash
from games.matches import services
from games.models import DeviceLink, Guest
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

LINK_WRONG = Template(_("This link doesn't work. Ask for a new one on your other device."))
LINK_EXPIRED = Template(_("This link has expired. Ask for a new one on your other device."))
LINK_USED = Template(_("This link was already used. Ask for a new one on your other device."))

VALID_FOR = timedelta(minutes=5)
MOST_OPEN = 5
# Long enough to say that a link has expired or was used; then it is like any wrong one.
KEPT_FOR = timedelta(hours=1)
# How many rows a sweep deletes at a time.
DELETED_AT_ONCE = 50

# 22 characters.
SECRET_BYTES = 16
LONGEST_SECRET = 64


def new_link(guest: Guest) -> str:
    """Return the secret of a new link for this guest. If they have too many, the oldest goes."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        services.store(guest)
        links = DeviceLink.objects.filter(guest=guest.pk).order_by("-expires", "-pk")
        surplus = [link.pk for link in links[MOST_OPEN - 1 :]]
        DeviceLink.objects.filter(pk__in=surplus).delete()
        DeviceLink.objects.create(
            guest_id=guest.pk, digest=_hash(secret), expires=timezone.now() + VALID_FOR
        )
    return secret


def find(secret: str) -> DeviceLink:
    """Return the link with this secret, or raise a `Refusal` that says why it can't be used."""
    if len(secret) > LONGEST_SECRET:
        raise wrong_link()
    link = DeviceLink.objects.select_related("guest").filter(digest=_hash(secret)).first()
    if link is None or link.guest.is_leaving:
        raise wrong_link()
    if link.used:
        raise used_link()
    if link.expires <= timezone.now():
        raise Refusal("expired_link", LINK_EXPIRED(), 410)
    return link


def use(link: DeviceLink) -> None:
    """Use a link up. If two devices try at once, the database lets one of them."""
    links = DeviceLink.objects.filter(pk=link.pk, used=False, expires__gt=timezone.now())
    if not links.update(used=True):
        raise used_link()


def wrong_link() -> Refusal:
    return Refusal("wrong_link", LINK_WRONG(), 404)


def used_link() -> Refusal:
    return Refusal("used_link", LINK_USED(), 410)


def delete_expired() -> int:
    """Delete a few links that expired long ago; return how many."""
    expired = DeviceLink.objects.filter(expires__lt=timezone.now() - KEPT_FOR)
    keys = list(expired.order_by("expires").values_list("pk", flat=True)[:DELETED_AT_ONCE])
    return DeviceLink.objects.filter(pk__in=keys).delete()[0]


def _hash(secret: str) -> str:
    return keyed_hash("device-link", secret)
