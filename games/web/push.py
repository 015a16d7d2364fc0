"""The addresses for web push: our public key, and a browser's subscription."""

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest
from django.utils.translation import get_language

from games.guests import endpoints, subscriptions
from games.matches import limits
from games.models import Guest
from games.web import actions
from games.web.api import body
from games.web.in_loop import in_loop

Endpoint = Annotated[str, msgspec.Meta(max_length=endpoints.LONGEST)]
Key = Annotated[str, msgspec.Meta(max_length=100)]


class Keys(msgspec.Struct):
    p256dh: Key
    auth: Key


class Subscription(msgspec.Struct):
    endpoint: Endpoint
    keys: Keys


class Renewal(msgspec.Struct):
    old: Endpoint
    endpoint: Endpoint
    keys: Keys


class Ended(msgspec.Struct):
    endpoint: Endpoint


@in_loop()
def show_key(request: HttpRequest) -> dict[str, Any]:
    """Return the key that a browser needs to subscribe."""
    return {"key": key()}


@lru_cache
def key() -> str:
    return subscriptions.public_key()


def renew(request: HttpRequest) -> dict[str, Any]:
    """Replace a subscription that a browser has renewed.

    A service worker sends this, which has no CSRF token. It isn't needed: only the browser and we
    know the old endpoint.
    """
    limits.SUBSCRIBING_BY_ADDRESS.require(actions.address_of(request))
    given = body(request, Renewal)
    subscriptions.replace(given.old, given.endpoint, given.keys.p256dh, given.keys.auth)
    return {}


def subscribe(request: HttpRequest) -> dict[str, Any]:
    given = body(request, Subscription)
    language = get_language() or "en"

    def subscribe(guest: Guest) -> None:
        require_limits(request, guest.pk)
        keys = given.keys
        subscriptions.subscribe(guest, given.endpoint, keys.p256dh, keys.auth, language)

    actions.as_guest(request, subscribe)
    return {}


def unsubscribe(request: HttpRequest) -> dict[str, Any]:
    guest = actions.require_guest(request)
    require_limits(request, guest.pk)
    subscriptions.unsubscribe(guest.pk, body(request, Ended).endpoint)
    return {}


def require_limits(request: HttpRequest, guest_id: int) -> None:
    limits.require_all(
        (limits.SUBSCRIBING_BY_ADDRESS, actions.address_of(request)),
        (limits.SUBSCRIBING_BY_GUEST, guest_id),
    )
