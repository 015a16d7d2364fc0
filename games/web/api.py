"""The HTTP API for programs and for our own pages. `docs/protocol.md` describes it."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from games.live import protocol
from games.matches import identity, limits, lookups
from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal
from games.sentences import PLAIN
from games.thinking import reviews
from games.web import actions

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
    """Build the Django view for one URL of the API from a function for each HTTP method."""

    def respond(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            answer = for_method(views, request)(request, **kwargs)
        except Refusal as refusal:
            answer = refused(refusal)
        return response_with(answer, request, views)

    return csrf_exempt(respond)  # `actions.require_guest` checks it for guests with a cookie


def waiting_endpoint(**views: Callable[..., Answer | Awaitable[Answer]]) -> Callable[..., Any]:
    """Do the same where some answers wait for the solver or the live process. They use no thread,
    because a server waits for its threads before it stops."""

    async def respond(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            view: Any = for_method(views, request)
            # The others use the database.
            view = view if iscoroutinefunction(view) else sync_to_async(view)
            answer = await view(request, **kwargs)
        except Refusal as refusal:
            answer = refused(refusal)
        return response_with(answer, request, views)

    return csrf_exempt(respond)


def for_method(views: dict[str, V], request: HttpRequest) -> V:
    if request.method not in views:
        text = f"This address accepts {', '.join(views)}."
        raise Refusal("bad_method", PLAIN(text=text), 405)
    return views[request.method]


def refused(refusal: Refusal) -> Answer:
    return refusal.status, protocol.refused(refusal)


def response_with(answer: Answer, request: HttpRequest, views: Iterable[str]) -> HttpResponse:
    status, data = answer if isinstance(answer, tuple) else (200, answer)
    response = HttpResponse(
        msgspec.json.encode(data, enc_hook=str), status=status, content_type="application/json"
    )
    response["Cache-Control"] = "no-store"
    if status == 405:
        response["Allow"] = ", ".join(views)
    actions.remember_guest(request, response)
    return response


def body(request: HttpRequest, kind: Any) -> Any:
    try:
        return msgspec.json.decode(request.body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        text = f"The request could not be read: {error}."
        raise Refusal("malformed", PLAIN(text=text)) from error


def create_guest(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    guest = actions.new_guest(request)
    return 201, {"token": identity.token_for(guest.pk), "name": guest.name}


def create_match(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    settings = msgspec.structs.asdict(body(request, NewMatch))
    match, seat = actions.create_match(request, **settings)
    url = request.build_absolute_uri(f"/m/{match.pk}/")
    return 201, {"id": match.pk, "seat": seat, "url": url}


async def list_matches(request: HttpRequest) -> dict[str, Any]:
    wanted = [name for name in ("open", "live") if request.GET.get(name) == "1"]
    if not wanted:
        raise Refusal("bad_query", PLAIN(text="Add ?open=1, ?live=1 or both to the address."))
    lists = await actions.lobby_lists(request)
    return {name: getattr(lists, name) for name in wanted}


def show_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    loaded = LoadedMatch(actions.found_match(request, match_id))
    you = loaded.seats_of(actions.viewer_id(request))
    return {**protocol.snapshot(loaded), "you": you}


def join_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    name = body(request, Joining).name
    return {"seat": actions.join_match(request, match_id, name)}


def cancel_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    actions.cancel_invitation(request, match_id)
    return {}


async def review_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    with thinking_about(request):
        return protocol.review(await reviews.review(lookups.clean_id(match_id)))


async def explore_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    moves = [move for move in request.GET.get("moves", "").split(",") if move]
    with thinking_about(request):
        version = request.GET.get("version", "0")
        found = await reviews.explore(lookups.clean_id(match_id), version, moves)
        return protocol.explored(found)


@contextmanager
def thinking_about(request: HttpRequest) -> Iterator[None]:
    """Apply the limits on solver requests."""
    address = actions.address_of(request)
    limits.THINKING_BY_ADDRESS.require(address)
    with lookups.count_misses(address):
        yield
