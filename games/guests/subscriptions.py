"""Subscriptions to web push: which browsers a guest wants to be told by.

A browser has one subscription. What a browser sends is checked completely before it is stored, so
that encrypting a message for it can't fail later.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.db.models import F

from games.guests import endpoints
from games.matches import services
from games.models import Guest, PushSubscription
from games.refusals import Refusal
from games.sentences import PLAIN

MOST_A_GUEST = 10
# After so many failures in a row, nobody will ever read the messages.
MOST_FAILURES = 10

BAD_ENDPOINT = PLAIN(text="The endpoint must be an HTTPS address of a push service we know.")
BAD_KEYS = PLAIN(
    text="The keys must be base64url: p256dh a point of P-256 (65 bytes), auth 16 bytes."
)
NO_SUBSCRIPTION = PLAIN(text="There is no subscription with the old endpoint.")


def subscribe(guest: Guest, endpoint: str, p256dh: str, auth: str, language: str) -> None:
    """Store a browser's subscription. If it is there already, it is this guest's from now on."""
    check(endpoint, p256dh, auth)
    with transaction.atomic():
        # Locks the guest, because two browsers may subscribe at the same time.
        services.store(guest)
        PushSubscription.objects.update_or_create(
            digest=digest_of(endpoint),
            defaults={
                "guest": guest,
                "endpoint": endpoint,
                "p256dh": p256dh,
                "auth": auth,
                "language": language,
                "failures": 0,
            },
        )
        of_guest = PushSubscription.objects.filter(guest=guest).order_by("-created", "-pk")
        beyond = list(of_guest.values_list("pk", flat=True)[MOST_A_GUEST:])
        PushSubscription.objects.filter(pk__in=beyond).delete()


def replace(old: str, endpoint: str, p256dh: str, auth: str) -> None:
    """Replace a subscription that the browser has renewed. Only the browser knows the old one."""
    check(endpoint, p256dh, auth)
    with transaction.atomic():
        new, before = digest_of(endpoint), digest_of(old)
        if new != before:
            PushSubscription.objects.filter(digest=new).delete()
        changed = PushSubscription.objects.filter(digest=before).update(
            digest=new, endpoint=endpoint, p256dh=p256dh, auth=auth, failures=0
        )
        if not changed:
            raise Refusal("no_such_subscription", NO_SUBSCRIPTION, 404)


def unsubscribe(guest_id: int, endpoint: str) -> None:
    PushSubscription.objects.filter(guest=guest_id, digest=digest_of(endpoint)).delete()


def end_all(guest_id: int) -> None:
    """End all subscriptions of a guest whose devices were signed out.

    It isn't known which device has which. Those that stay signed in subscribe again within a day.
    """
    PushSubscription.objects.filter(guest=guest_id).delete()


def subscriptions_of(guest_ids: Iterable[int]) -> dict[int, list[PushSubscription]]:
    """Return the subscriptions of those of these guests who have any."""
    found: dict[int, list[PushSubscription]] = {}
    for subscription in PushSubscription.objects.filter(guest__in=list(guest_ids)):
        found.setdefault(subscription.guest_id, []).append(subscription)
    return found


def taken(key: int) -> None:
    """Note that the push service took a message after it had failed before."""
    PushSubscription.objects.filter(pk=key).update(failures=0)


def failed(key: int) -> None:
    """Note that a message failed, and delete the subscription if too many did in a row."""
    PushSubscription.objects.filter(pk=key).update(failures=F("failures") + 1)
    PushSubscription.objects.filter(pk=key, failures__gte=MOST_FAILURES).delete()


def gone(key: int) -> None:
    """Delete a subscription that the push service no longer knows."""
    PushSubscription.objects.filter(pk=key).delete()


def export(guest_id: int) -> list[dict[str, str]]:
    """Return what is stored about a guest's notifications, for their download.

    The rest is of no use to them: an endpoint and its keys are between the browser and us.
    """
    return [
        {
            "service": endpoints.origin_of(row.endpoint),
            "language": row.language,
            "created": row.created.isoformat(),
        }
        for row in PushSubscription.objects.filter(guest=guest_id).order_by("created")
    ]


def merge(into: int, source: int) -> None:
    """Give one guest's subscriptions to another, because they are the same person."""
    PushSubscription.objects.filter(guest=source).update(guest=into)


def digest_of(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


def check(endpoint: str, p256dh: str, auth: str) -> None:
    """Raise a `Refusal` if this can't be a browser's subscription."""
    if not endpoints.is_known(endpoint):
        raise Refusal("bad_subscription", BAD_ENDPOINT)
    point, secret = decoded(p256dh, 65), decoded(auth, 16)
    if point is None or secret is None:
        raise Refusal("bad_subscription", BAD_KEYS)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise Refusal("bad_subscription", BAD_KEYS) from error


def decoded(text: str, length: int) -> bytes | None:
    """Return the bytes that a text of base64url stands for; None unless it has this many."""
    padding = "=" * (-len(text) % 4)
    try:
        # Not `urlsafe_b64decode`, which ignores characters that don't belong there.
        raw = base64.b64decode(text + padding, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == length and encoded(raw) == text else None


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def public_key() -> str:
    """Return the key by which browsers know that messages are from us."""
    raw = decoded(settings.PUSH_KEY, 32)
    assert raw is not None
    private = ec.derive_private_key(int.from_bytes(raw), ec.SECP256R1())
    point = private.public_key().public_numbers()
    return encoded(b"\x04" + point.x.to_bytes(32) + point.y.to_bytes(32))
