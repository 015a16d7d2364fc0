"""The HTTP API for programs and for our own pages. `docs/protocol.md` describes it."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.common import no_append_slash
from django.views.decorators.csrf import csrf_exempt

from games.live import protocol
from games.live.lobby import Lists
from games.matches import identity, limits, proofs, services
from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal
from games.sentences import PLAIN
from games.thinking.reviews import Explored
from games.web import actions, errors
from games.web.in_loop import in_loop

V = TypeVar("V")

# A slug, or the name of an option. The longest of ours has 17 characters.
Word = Annotated[str, msgspec.Meta(max_length=40)]
# No game has more than two options.
Options = Annotated[dict[Word, Word | int | float | bool | None], msgspec.Meta(max_length=10)]
# The longest text of moves to try: more than reviews take.
LONGEST_MOVES = 1000

CROSS_SITE = PLAIN(text="Another site's page can't get a token here.")
PROOF_NEEDED = PLAIN(
    text="Your network has asked for many tokens. Send the challenge back with a proof of work."
)


class NewGuest(msgspec.Struct):
    challenge: Annotated[str, msgspec.Meta(max_length=200)] = ""
    proof: Annotated[str, msgspec.Meta(max_length=200)] = ""


class NewMatch(msgspec.Struct):
    game: Word
    starts: Word = "lot"
    listed: bool = False
    options: Options = {}
    same_device: bool = False
    computer: Word = ""
    name: str = ""
    pace: Word = ""


class Joining(msgspec.Struct):
    name: str = ""


class Rematching(msgspec.Struct):
    game: Word = ""
    withdraw: bool = False


Answer = dict[str, Any] | tuple[int, dict[str, Any]] | HttpResponseBase


def endpoint(**views: Callable[..., Answer]) -> Callable[..., HttpResponseBase]:
    """Build the Django view for one URL of the API from a function for each HTTP method."""

    def respond(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS":
            return allowed(HttpResponse(status=204), views)
        try:
            answer = for_method(views, request)(request, **kwargs)
        except Refusal as refusal:
            return refused(request, refusal, views)
        return response_with(answer, request)

    respond.by_method = views  # type: ignore[attr-defined]
    # `actions.require_guest` checks the CSRF token of guests with a cookie. An address without its
    # slash isn't redirected, because programs would lose what they POST.
    return no_append_slash(csrf_exempt(respond))


def for_method(views: dict[str, V], request: HttpRequest) -> V:
    """Return the function for a request's method. The server leaves out the body for HEAD."""
    method = "GET" if request.method == "HEAD" else request.method
    if method not in views:
        text = f"This address accepts {', '.join(views)}."
        raise Refusal("bad_method", PLAIN(text=text), 405)
    return views[method]


def refused(request: HttpRequest, refusal: Refusal, views: Iterable[str]) -> HttpResponse:
    response = errors.refused(request, refusal)
    return allowed(response, views) if refusal.status == 405 else response


def allowed(response: HttpResponse, views: Iterable[str]) -> HttpResponse:
    """Add the methods that this address accepts."""
    methods = ["OPTIONS", *views, *(["HEAD"] if "GET" in views else [])]
    response["Allow"] = ", ".join(sorted(methods))
    return response


def response_with(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    if isinstance(answer, HttpResponseBase):
        return answer
    status, data = answer if isinstance(answer, tuple) else (200, answer)
    response = errors.as_json(data, status)
    actions.remember_guest(request, response)
    return response


def body(request: HttpRequest, kind: Any) -> Any:
    try:
        return msgspec.json.decode(request.body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        text = f"The request could not be read: {error}."
        raise Refusal("malformed", PLAIN(text=text)) from error


def create_guest(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    """Give a program a token. Above a rate for its network, it needs a proof of work."""
    if actions.is_cross_site(request):
        raise Refusal("cross_site", CROSS_SITE, 403)
    given = body(request, NewGuest)
    network = actions.address_of(request)
    if given.challenge:
        proofs.require(given.challenge, given.proof, network)
    elif not limits.TOKENS_BY_ADDRESS.allows(network):
        needed = Refusal("proof_needed", PROOF_NEEDED, 429)
        asked = {"challenge": proofs.new_challenge(network), "bits": proofs.BITS}
        return needed.status, {**protocol.refused(needed), **asked}
    guest = services.new_guest()
    return 201, {"token": identity.token_for(guest.pk), "name": guest.name}


def create_match(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    settings = msgspec.structs.asdict(body(request, NewMatch))
    match, seat = actions.create_match(request, **settings)
    url = request.build_absolute_uri(f"/m/{match.pk}/")
    return 201, {"id": match.pk, "seat": seat, "url": url}


@in_loop(actions.lobby_lists)
def list_matches(request: HttpRequest, lists: Lists) -> dict[str, Any]:
    wanted = [name for name in ("open", "live") if request.GET.get(name) == "1"]
    if not wanted:
        raise Refusal("bad_query", PLAIN(text="Add ?open=1, ?live=1 or both to the address."))
    return {name: getattr(lists, name) for name in wanted}


@in_loop(actions.load_match)
def show_match(request: HttpRequest, loaded: LoadedMatch, match_id: str) -> dict[str, Any]:
    you = loaded.seats_of(actions.viewer(request))
    return {**protocol.snapshot(loaded), "you": you}


def join_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    name = body(request, Joining).name
    return {"seat": actions.join_match(request, match_id, name)}


def offer_rematch(request: HttpRequest, match_id: str) -> dict[str, Any]:
    wanted = body(request, Rematching)
    return protocol.rematch(actions.offer_rematch(request, match_id, wanted.game, wanted.withdraw))


def cancel_match(request: HttpRequest, match_id: str) -> dict[str, Any]:
    actions.cancel_invitation(request, match_id)
    return {}


@in_loop(actions.review_match)
def review_match(request: HttpRequest, found: dict[str, Any], match_id: str) -> dict[str, Any]:
    return protocol.review(found)


async def explore(request: HttpRequest, match_id: str) -> Explored:
    tried = request.GET.get("moves", "")
    if len(tried) > LONGEST_MOVES:
        text = f"The moves have at most {LONGEST_MOVES} characters."
        raise Refusal("bad_query", PLAIN(text=text))
    moves = [move for move in tried.split(",") if move]
    version = request.GET.get("version", "0")
    return await actions.explore_match(request, match_id, version, moves)


@in_loop(explore)
def explore_match(request: HttpRequest, found: Explored, match_id: str) -> dict[str, Any]:
    return protocol.explored(found)
