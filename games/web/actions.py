"""What pages and API share: identify the guest, apply limits, act, notify the live process.

Each action raises a `Refusal` if it can't be done.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from games.guests import devices
from games.guests.labels import kind_of
from games.live import fairness
from games.live.lobby import EMPTY, Lists
from games.live.process import Process, process_of
from games.matches import database, identity, limits, lookups, rematches, selectors, services
from games.matches.identity import SignedOut, Who
from games.matches.loaded_match import LoadedMatch
from games.models import Guest, Match
from games.refusals import Refusal
from games.rules import Seat
from games.sentences import PLAIN
from games.thinking import reviews
from games.thinking.asking import Asker
from games.thinking.queue import busy
from games.thinking.reviews import Explored

R = TypeVar("R")

BAD_TOKEN = PLAIN(text="This token is not valid. Get a new one with POST /api/guests/.")
NO_IDENTITY = PLAIN(text="Send a token from POST /api/guests/, or reload the page and try again.")


def create_match(request: HttpRequest, **settings: Any) -> tuple[Match, Seat]:
    """Create a match for the guest who sent the request; return it with their seat."""

    def create(guest: Guest) -> tuple[Match, Seat, Guest]:
        limits.require_new_match(guest.pk, address_of(request))
        return *services.create_match(guest=guest, **settings), guest

    match, seat, guest = as_guest(request, create)
    notify(request, match.pk, (guest.pk,))
    if settings.get("name"):
        notify_of_guest(request, guest.pk)
    if match.listed and match.status == Match.Status.OPEN:
        for earlier in services.unlist_earlier(guest):
            notify(request, earlier)
    return match, seat


def join_match(request: HttpRequest, match_id: str, name: str) -> Seat:

    def join(guest: Guest) -> tuple[Match, Seat, Guest]:
        row = find(request, match_id)
        limits.require_all(
            (limits.JOINING_BY_ADDRESS, address_of(request)), (limits.JOINING_BY_GUEST, guest.pk)
        )
        return row, services.join_match(match_id=row.pk, guest=guest, name=name), guest

    row, seat, guest = as_guest(request, join)
    notify(request, row.pk, (*selectors.guests_in(row), guest.pk))
    if name:
        notify_of_guest(request, guest.pk)
    return seat


def offer_rematch(request: HttpRequest, match_id: str, game: str, withdraw: bool) -> Match:
    """Offer, accept or withdraw a rematch; return the match."""
    guest = require_guest(request)
    row = lookups.find_own(match_id, network_for_links(request), guest.who)
    network = address_of(request)
    limits.require_all((limits.JOINING_BY_ADDRESS, network), (limits.JOINING_BY_GUEST, guest.pk))
    seat = 1 if row.seat_1_id == guest.pk else 2
    row = rematches.offer_rematch(
        match_id=row.pk, seat=seat, network=network, game=game, withdraw=withdraw
    )
    notify(request, row.pk, selectors.guests_in(row))
    return row


def cancel_invitation(request: HttpRequest, match_id: str) -> None:
    guest = require_guest(request)
    row = lookups.find_own(match_id, network_for_links(request), guest.who)
    services.cancel_invitation(match_id=row.pk, guest=guest)
    notify(request, row.pk)


def find(request: HttpRequest, match_id: str) -> Match:
    """Return the match that this request's link leads to."""
    return lookups.find(match_id, network_for_links(request), viewer(request))


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
    if lookups.is_limited(network_for_links(request)) and not known.seats_of(viewer(request)):
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
    process = process_that_thinks(request)

    def note(match_id: str, accuracy: list[dict[str, int]]) -> None:
        process.tasks.spawn(process.tallying.note_accuracy(match_id, accuracy))

    return await reviews.review(process.thinking, asker, row.pk, note)


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
    who = viewer(request)
    return Asker(who.guest_id if who else None, address_of(request))


def notify(request: HttpRequest, match_id: str, guests: tuple[int, ...] = ()) -> None:
    """Tell the live process that a match has changed, so that it can tell its sockets.

    `guests` are those for whom the match is new.
    """
    if process := process_of(request):
        process.changed(match_id, guests)


def notify_of_guest(request: HttpRequest, guest_id: int) -> None:
    """Tell the live process that a guest's name has changed, so that open pages show it."""
    if process := process_of(request):
        process.guest_changed(guest_id)


def notify_signed_out(request: HttpRequest, guest_id: int, mask: int) -> None:
    """Tell the live process which devices of a guest were signed out, so that it can close their
    sockets."""
    if process := process_of(request):
        process.signed_out(guest_id, mask)


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
        return services.guest_with(*who_with(token))
    if not is_from_our_page(request):
        status = 401 if identity.COOKIE not in request.COOKIES else 403
        raise Refusal("no_identity", NO_IDENTITY, status)
    who = identity.who_from(request.COOKIES.get(identity.COOKIE, ""))
    guest = services.guest_with(*who) if who else services.new_guest()
    request.new_cookie_for = guest  # type: ignore[attr-defined]
    return guest


def as_guest(request: HttpRequest, act: Callable[[Guest], R]) -> R:
    """Act as the guest who sent this request, and note that they use this device.

    A browser that was signed out goes on as a new guest, like one without a cookie. If its guest
    was merged into another, it goes on as that one.
    """
    guest = require_guest(request)
    try:
        done = act(guest)
    except SignedOut:
        if getattr(request, "new_cookie_for", None) is None:
            raise
        guest = devices.moved_to(guest.who) or services.new_guest()
        request.new_cookie_for = guest  # type: ignore[attr-defined]
        done = act(guest)
    devices.saw(guest, kind_of(request.headers.get("User-Agent", "")))
    return done


def me(request: HttpRequest) -> Guest:
    """Return the guest who sent this request, as stored, for everything about themselves.

    Raises a `Refusal` with status 401 if there is none, or if this device was signed out.
    """
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    if token is not None:
        return devices.stored_guest(who_with(token))
    who = identity.who_from(request.COOKIES.get(identity.COOKIE, ""))
    if who is None:
        raise Refusal("no_identity", NO_IDENTITY, 401)
    is_reading = request.method in ("GET", "HEAD")
    if not (is_reading or is_from_our_page(request)):
        raise Refusal("no_identity", NO_IDENTITY, 403)
    try:
        guest = devices.stored_guest(who)
    except SignedOut:
        moved = devices.moved_to(who)
        if moved is None:
            raise
        guest = moved
    if guest.who != who or not is_reading:
        request.new_cookie_for = guest  # type: ignore[attr-defined]
    return guest


def me_if_any(request: HttpRequest) -> Guest | None:
    """Return the guest who looks at a page about themselves; None for somebody who is new."""
    try:
        return me(request)
    except Refusal:
        return None


def follow_merge(request: HttpRequest) -> None:
    """If the guest who views a page was merged into another, let this request count as theirs."""
    if who := viewer(request):
        request.new_cookie_for = request.moved_to = devices.moved_to(who)  # type: ignore[attr-defined]


def who_with(token: str) -> Who:
    """Return who has this token; raise a `Refusal` if it isn't valid."""
    who = identity.who_from(token)
    if who is None:
        raise Refusal("bad_token", BAD_TOKEN, 401)
    return who


def viewer(request: HttpRequest) -> Who | None:
    """Return the guest who is viewing a page, and the device; None if they aren't a guest."""
    if moved := getattr(request, "moved_to", None):
        return Who(*moved.who)
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    return identity.who_from(token or request.COOKIES.get(identity.COOKIE, ""))


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
    """Give the browser a fresh cookie if it acted as a guest in this request, or take it away."""
    if getattr(request, "without_cookie", False):
        response.delete_cookie(identity.COOKIE, samesite="Lax")
        return
    guest = getattr(request, "new_cookie_for", None)
    if guest is None:
        return
    response.set_cookie(
        identity.COOKIE,
        identity.token_for(guest.pk, guest.device),
        max_age=identity.MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def address_of(request: HttpRequest) -> str:
    """Return the network a request came from, which is what limits count by."""
    return limits.network_of(str(request.META.get("REMOTE_ADDR", "")))
