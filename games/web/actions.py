"""What pages and API share: identify the guest, apply limits, act, notify the live process.

Each action raises a `Refusal` if it can't be done.
"""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from games.live import fairness
from games.live.lobby import EMPTY, Lists
from games.live.process import Process, process_of
from games.matches import database, identity, limits, lookups, selectors, services
from games.matches.loaded_match import LoadedMatch
from games.models import Guest, Match
from games.refusals import Refusal
from games.rules import Seat
from games.sentences import PLAIN
from games.thinking import reviews
from games.thinking.asking import Asker
from games.thinking.queue import busy
from games.thinking.reviews import Explored

BAD_TOKEN = PLAIN(text="This token is not valid. Get a new one with POST /api/guests/.")
NO_IDENTITY = PLAIN(text="Send a token from POST /api/guests/, or reload the page and try again.")


def create_match(request: HttpRequest, **settings: Any) -> tuple[Match, Seat]:
    """Create a match for the guest who sent the request; return it with their seat."""
    guest = require_guest(request)
    limits.require_new_match(guest.pk, address_of(request))
    match, seat = services.create_match(guest=guest, **settings)
    notify(request, match.pk)
    if match.listed and match.status == Match.Status.OPEN:
        for earlier in services.unlist_earlier(guest):
            notify(request, earlier)
    return match, seat


def join_match(request: HttpRequest, match_id: str, name: str) -> Seat:
    guest = require_guest(request)
    row = find(request, match_id)
    limits.require_all(
        (limits.JOINING_BY_ADDRESS, address_of(request)), (limits.JOINING_BY_GUEST, guest.pk)
    )
    seat = services.join_match(match_id=row.pk, guest=guest, name=name)
    notify(request, row.pk)
    return seat


def cancel_invitation(request: HttpRequest, match_id: str) -> None:
    guest = require_guest(request)
    row = lookups.find_own(match_id, network_for_links(request), guest.pk)
    services.cancel_invitation(match_id=row.pk, guest=guest)
    notify(request, row.pk)


def find(request: HttpRequest, match_id: str) -> Match:
    """Return the match that this request's link leads to."""
    return lookups.find(match_id, network_for_links(request), viewer_id(request))


def load_match(request: HttpRequest, match_id: str) -> LoadedMatch:
    """Return the match that this request's link leads to, with all its actions.

    If this process has it loaded, that one is returned: comparing it with the database takes a
    fraction of the time of loading it again.
    """
    known = known_match(request, match_id)
    return known or LoadedMatch(selectors.with_history(find(request, match_id)))


def known_match(request: HttpRequest, match_id: str) -> LoadedMatch | None:
    """Return the match as this process has it loaded, if it is up to date and may be shown."""
    process, cleaned = process_of(request), selectors.clean_match_id(match_id)
    if process is None or cleaned is None:
        return None
    known = process.hub.loaded(cleaned)
    if known is None:
        return None
    if lookups.is_limited(network_for_links(request)) and not known.seats_of(viewer_id(request)):
        return None
    # In one of the database threads the event loop may change it meanwhile. Then they differ, or
    # what it has become was committed too.
    is_current = selectors.fingerprints([cleaned]).get(cleaned) == known.fingerprint
    return known if is_current else None


def network_for_links(request: HttpRequest) -> str:
    """Return what wrong links count by.

    Those inside another site's page count apart: it could have a class's browsers load many of
    them, and nobody there could open an invitation.
    """
    is_embedded = (
        request.headers.get("Sec-Fetch-Site") == "cross-site"
        and request.headers.get("Sec-Fetch-Dest") != "document"
    )
    return address_of(request) + (" embedded" if is_embedded else "")


async def review_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    asker = asker_of(request)
    row = await find_to_think(request, asker, match_id)
    return await reviews.review(process_that_thinks(request).thinking, asker, row.pk)


async def explore_match(
    request: HttpRequest, match_id: str, version: str, moves: Sequence[str]
) -> Explored:
    """Try other moves in a finished match."""
    asker = asker_of(request)
    row = await find_to_think(request, asker, match_id)
    process = process_that_thinks(request)
    found = await reviews.explore(process.thinking, asker, row.pk, version, moves)
    if found.solution is not None:
        fairness.check_help(process.hub, asker, found.game.slug, found.state)
    return found


async def find_to_think(request: HttpRequest, asker: Asker, match_id: str) -> Match:
    """Apply the limits on questions to the solver, and return the match."""
    limits.require_thought(asker.guest_id, asker.network)
    return await database.read(find, request, match_id)


def process_that_thinks(request: HttpRequest) -> Process:
    process = process_of(request)
    if process is None:
        raise busy()
    return process


def asker_of(request: HttpRequest) -> Asker:
    return Asker(viewer_id(request), address_of(request))


def notify(request: HttpRequest, match_id: str) -> None:
    """Tell the live process that a match has changed, so that it can tell its sockets."""
    if process := process_of(request):
        process.changed(match_id)


async def lobby_lists(request: HttpRequest) -> Lists:
    """Return what the lobby shows. Without a live process there is nobody to show."""
    process = process_of(request)
    return await process.lobby.lists() if process else EMPTY


def require_guest(request: HttpRequest) -> Guest:
    """Return the guest who sent this request, by token or by cookie.

    A cookie is accepted only from our own pages. A browser without a cookie becomes a guest here,
    with its first POST.
    """
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    if token is not None:
        guest_id = identity.guest_id_from(token)
        if guest_id is None:
            raise Refusal("bad_token", BAD_TOKEN, 401)
        return services.guest_with(guest_id)
    if not is_from_our_page(request):
        status = 401 if identity.COOKIE not in request.COOKIES else 403
        raise Refusal("no_identity", NO_IDENTITY, status)
    guest_id = identity.guest_id_from(request.COOKIES.get(identity.COOKIE, ""))
    guest = services.guest_with(guest_id) if guest_id else services.new_guest()
    request.new_cookie_for = guest  # type: ignore[attr-defined]
    return guest


def viewer_id(request: HttpRequest) -> int | None:
    """Return the id of the guest who is viewing a page; None if they aren't a guest."""
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    return identity.guest_id_from(token or request.COOKIES.get(identity.COOKIE, ""))


class CsrfCheck(CsrfViewMiddleware):
    """Django's CSRF check, but it returns the reason instead of an error page."""

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def is_cross_site(request: HttpRequest) -> bool:
    """Return whether another site's page sent this request. Programs send neither header."""
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        return True
    check = CsrfCheck(lambda request: HttpResponse())
    return "Origin" in request.headers and not check._origin_verified(request)  # type: ignore[attr-defined]


def is_from_our_page(request: HttpRequest) -> bool:
    check = CsrfCheck(lambda request: HttpResponse())
    check.process_request(request)
    return not check.process_view(request, lambda request: HttpResponse(), (), {})


def remember_guest(request: HttpRequest, response: HttpResponse) -> None:
    """Give the browser a fresh cookie if it acted as a guest in this request."""
    guest = getattr(request, "new_cookie_for", None)
    if guest is None:
        return
    response.set_cookie(
        identity.COOKIE,
        identity.token_for(guest.pk),
        max_age=identity.MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def address_of(request: HttpRequest) -> str:
    """Return the network a request came from, which is what limits count by."""
    return limits.network_of(str(request.META.get("REMOTE_ADDR", "")))
