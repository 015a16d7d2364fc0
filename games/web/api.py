"""The HTTP API for programs, and for the pages' own scripts. `docs/protocol.md` describes it."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.views.decorators.csrf import csrf_exempt

from games.live import lobby, protocol
from games.live.hub import HUB
from games.matches import identity, limits, selectors, services
from games.matches.loaded_match import LoadedMatch
from games.matches.services import Refused, no_such_match
from games.models import Guest
from games.thinking import reviews

V = TypeVar("V")


class NewMatch(msgspec.Struct):
    game: str
    starts: str = "lot"
    listed: bool = False
    options: dict[str, Any] = {}
    same_device: bool = False
    computer: str = ""
    name: str = ""


class Joining(msgspec.Struct):
    name: str = ""


Answer = dict[str, Any] | tuple[int, dict[str, Any]]


def endpoint(**views: Callable[..., Answer]) -> Callable[..., HttpResponse]:
    """One address of the API: a view for each method, JSON out, refusals as code and text."""

    def respond(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            answer = for_method(views, request)(request, **kwargs)
        except Refused as refusal:
            answer = refused(refusal)
        return response_with(answer, request, views)

    return csrf_exempt(respond)  # `require_guest` checks it where a cookie identifies the guest


def thinking_endpoint(**views: Callable[..., Awaitable[Answer]]) -> Callable[..., Any]:
    """Where the answer takes a while. No thread waits for it: the server could not stop then."""

    async def respond(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            answer = await for_method(views, request)(request, **kwargs)
        except Refused as refusal:
            answer = refused(refusal)
        return response_with(answer, request, views)

    return csrf_exempt(respond)


def for_method(views: dict[str, V], request: HttpRequest) -> V:
    if request.method not in views:
        raise Refused("bad_method", f"This address takes {', '.join(views)}.", 405)
    return views[request.method]


def refused(refusal: Refused) -> Answer:
    return refusal.status, {"code": refusal.code, "text": refusal.text}


def response_with(answer: Answer, request: HttpRequest, views: Iterable[str]) -> HttpResponse:
    status, data = answer if isinstance(answer, tuple) else (200, answer)
    response = HttpResponse(
        msgspec.json.encode(data, enc_hook=str), status=status, content_type="application/json"
    )
    response["Cache-Control"] = "no-store"
    if status == 405:
        response["Allow"] = ", ".join(views)
    if guest := getattr(request, "new_cookie_for", None):
        set_guest_cookie(response, guest, secure=request.is_secure())
    return response


def set_guest_cookie(response: HttpResponse, guest: Guest, secure: bool) -> None:
    response.set_cookie(
        identity.COOKIE,
        identity.token_for(guest.pk),
        max_age=identity.MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=secure,
    )


class CsrfCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def require_guest(request: HttpRequest) -> Guest:
    """Who asks: by token, or by cookie and then only from our own pages.

    A browser without a cookie becomes a guest here, with its first POST.
    """
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    if token is not None:
        guest_id = identity.guest_id_from(token)
        guest = selectors.guest(guest_id) if guest_id else None
        if guest is None:
            raise Refused("bad_token", "This token is not valid. Ask for a new one.", 401)
        return guest
    check = CsrfCheck(lambda request: HttpResponse())
    check.process_request(request)
    if check.process_view(request, lambda request: HttpResponse(), (), {}):
        raise Refused(
            "no_identity",
            "Send a token (POST /api/guests/ gives one), or reload the page and try again.",
            401 if identity.COOKIE not in request.COOKIES else 403,
        )
    guest_id = identity.guest_id_from(request.COOKIES.get(identity.COOKIE, ""))
    guest = selectors.guest(guest_id) if guest_id else None
    guest = guest or new_guest(request)
    request.new_cookie_for = guest  # type: ignore[attr-defined]
    return guest


def new_guest(request: HttpRequest) -> Guest:
    limit(limits.GUESTS_BY_ADDRESS, address_of(request))
    return services.create_guest()


def address_of(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))


def limit(which: limits.Limit, key: Any) -> None:
    if not which.allows(key):
        raise Refused("too_many", "That was too much at once. Wait a minute, then try again.", 429)


def body(request: HttpRequest, kind: Any) -> Any:
    try:
        return msgspec.json.decode(request.body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed", f"The request is not as expected: {error}.") from error


def clean_id(request: HttpRequest, match_id: str) -> str:
    cleaned = selectors.clean_match_id(match_id)
    if cleaned is None:
        limit(limits.MISSES_BY_ADDRESS, address_of(request))
        raise no_such_match()
    return cleaned


def create_guest(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    guest = new_guest(request)
    return 201, {"token": identity.token_for(guest.pk), "name": guest.name}


def create_match(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    new = body(request, NewMatch)
    guest = require_guest(request)
    limit(limits.CREATING_BY_ADDRESS, address_of(request))
    limit(limits.CREATING_BY_GUEST, guest.pk)
    match, seat = services.create_match(guest=guest, **msgspec.structs.asdict(new))
    HUB.changed(match.pk)
    url = request.build_absolute_uri(f"/m/{match.pk}/")
    return 201, {"id": match.pk, "seat": seat, "url": url}


def list_matches(request: HttpRequest) -> dict[str, Any]:
    wanted = {name for name in ("open", "live") if request.GET.get(name) == "1"}
    if not wanted:
        raise Refused("bad_query", "Ask for ?open=1, for ?live=1, or for both.")
    return {
        **({"open": lobby.open_matches()} if "open" in wanted else {}),
        **({"live": lobby.live_matches(HUB)} if "live" in wanted else {}),
    }


def show_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    stored = selectors.stored_match(clean_id(request, match_id))
    if stored is None:
        limit(limits.MISSES_BY_ADDRESS, address_of(request))
        raise no_such_match()
    loaded = LoadedMatch(stored)
    token = identity.bearer_token(request.headers.get("Authorization", ""))
    guest_id = identity.guest_id_from(token or request.COOKIES.get(identity.COOKIE, ""))
    return {**protocol.snapshot(loaded), "you": loaded.seats_of(guest_id)}


def join_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    joining = body(request, Joining)
    match_id = clean_id(request, match_id)
    guest = require_guest(request)
    limit(limits.JOINING_BY_ADDRESS, address_of(request))
    limit(limits.JOINING_BY_GUEST, guest.pk)
    seat = services.join_match(match_id=match_id, guest=guest, name=joining.name)
    HUB.changed(match_id)
    return {"seat": seat}


async def review_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    match_id = clean_id(request, match_id)
    limit(limits.THINKING_BY_ADDRESS, address_of(request))
    return protocol.review(await reviews.review(match_id))


async def explore_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    match_id = clean_id(request, match_id)
    limit(limits.THINKING_BY_ADDRESS, address_of(request))
    moves = [move for move in request.GET.get("moves", "").split(",") if move]
    return await reviews.explore(match_id, request.GET.get("version", "0"), moves)


def cancel_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    match_id = clean_id(request, match_id)
    services.cancel_invitation(match_id=match_id, guest=require_guest(request))
    HUB.changed(match_id)
    return {}
