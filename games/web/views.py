"""The pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from games.catalogue import KITS
from games.catalogue.examples import first_state, lesson, replay
from games.live import protocol
from games.matches.loaded_match import LoadedMatch
from games.matches.lookups import NoSuchMatch
from games.matches.names import LONGEST_TYPED
from games.models import Guest, Match
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.solver import LEVELS
from games.web import actions
from games.web.errors import refused
from games.web.forms import USUAL_LEVEL, NewMatchForm
from games.web.in_loop import in_loop
from games.web.links import qr_code, qr_picture, shareable
from games.web.outlines import as_script, page
from games.web.pace import about_pace, pace_of
from games.web.previews import match_picture_address, picture_address
from games.words.translation import say

BAD_CHOICE = Template(_("That choice isn't available. Choose a game again."))


def no_match_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer links that lead to no match, or to none that may be shown, with a page."""

    @wraps(view)
    def respond(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except NoSuchMatch:
            return page(request, "no_match.html", status=404)
        except Refusal as refusal:
            return refused(request, refusal)

    return respond


@require_safe
@never_cache
@ensure_csrf_cookie
@in_loop()
def home(request: HttpRequest) -> HttpResponse:
    gaps = {
        "link": shareable(request, reverse("home")),
        "picture": picture_address(request, "site_picture"),
    }
    return page(request, "home.html", all_games, gaps=gaps)


def all_games() -> dict[str, Any]:
    return {"kits": KITS.values(), "levels": LEVELS.values(), "usual_level": USUAL_LEVEL}


@require_safe
@never_cache
@ensure_csrf_cookie
@in_loop()
def watch(request: HttpRequest) -> HttpResponse:
    """Show the listed matches being played. The page gets them from the lobby's socket."""
    gaps = {
        "link": shareable(request, reverse("watch")),
        "picture": picture_address(request, "site_picture"),
    }
    return page(request, "watch.html", all_games, gaps=gaps)


@require_safe
@in_loop()
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in KITS:
        raise Http404
    gaps = {
        "link": shareable(request, reverse("rules", args=[slug])),
        "picture": picture_address(request, "rules_picture", slug),
    }
    return page(request, KITS[slug].rules, rules_of, slug, gaps=gaps)


def rules_of(slug: str) -> dict[str, Any]:
    kit = KITS[slug]
    return {
        "kit": kit,
        "kits": KITS.values(),
        "start": kit.show(first_state(kit)),
        "example": [(entry, kit.show(entry.state)) for entry in replay(kit)],
        "easiest_level": next(iter(LEVELS)),
        "lesson": lesson(kit, say),
    }


@require_POST
def new_match(request: HttpRequest) -> HttpResponse:
    form = NewMatchForm(request.POST)
    if not form.is_valid():
        return refused(request, Refusal("bad_option", BAD_CHOICE()))
    try:
        match, _seat = actions.create_match(request, **form.settings())
    except Refusal as refusal:
        return refused(request, refusal)
    return to_match(request, match.pk)


class Visit(NamedTuple):
    """A match, and the guest who opens its page, if we need their name."""

    loaded: LoadedMatch
    guest: Guest | None


def match_to_show(request: HttpRequest, match_id: str) -> Visit:
    loaded = actions.load_match(request, match_id)
    if not loaded.seats_of(actions.viewer(request)):
        actions.follow_merge(request)
    viewer = actions.viewer(request)
    if loaded.row.status != Match.Status.OPEN or viewer is None:
        return Visit(loaded, None)
    if loaded.seats_of(viewer):
        # Drawing it takes too long for the event loop.
        qr_picture(link_to(request, loaded))
    return Visit(loaded, actions.me_if_any(request))


def link_to(request: HttpRequest, loaded: LoadedMatch) -> str:
    return shareable(request, reverse("match", args=[loaded.row.pk]))


@require_safe
@never_cache
@ensure_csrf_cookie
@no_match_page
@in_loop(match_to_show)
def match(request: HttpRequest, visit: Visit, match_id: str) -> HttpResponse:
    """Show a match: the invitation, the board, or a notice that the invitation has ended."""
    loaded, guest = visit
    row = loaded.row
    you = loaded.seats_of(actions.viewer(request))
    # Lets the page draw the board before its socket has connected.
    snapshot = {**protocol.snapshot(loaded), "you": you}
    shown = Shown(
        game=row.game,
        status=snapshot["status"],
        listed=row.listed,
        same_device=row.same_device,
        seated=bool(you),
        starts=row.seat_1_id is not None,
        larger=bool(row.options),
        pace=pace_of(loaded),
    )
    link = link_to(request, loaded)
    inviter = row.shown_name(1) or row.shown_name(2)
    gaps = {
        "match_id": row.pk,
        "link": link,
        "picture": match_picture_address(request, loaded),
        "qr_code": qr_code(link) if you and shown.is_open else "",
        "inviter": inviter,
        # In an element, because the name may change while the page is open.
        "inviter_shown": format_html('<span class="inviter">{}</span>', inviter),
        "chosen_name": guest.chosen if guest else "",
        "generated_name": guest.name if guest else "",
        "snapshot": as_script(snapshot, "snapshot"),
        **{f"name_{seat}": name_of(snapshot, seat) for seat in (1, 2)},
    }
    response = page(request, "match.html", Shown.context, shown, gaps=gaps)
    actions.remember_guest(request, response)
    return response


class Shown(NamedTuple):
    """What decides which parts a match's page has."""

    game: str
    status: str
    listed: bool
    same_device: bool
    seated: bool
    starts: bool
    larger: bool
    pace: str = ""

    @property
    def is_open(self) -> bool:
        return self.status == Match.Status.OPEN

    def context(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "kit": KITS[self.game],
            "kits": KITS.values(),
            "about_pace": about_pace(self.pace, self.listed),
            "is_open": self.is_open,
            "has_ended": self.status in (Match.Status.CANCELLED, Match.Status.EXPIRED),
        }


def name_of(snapshot: dict[str, Any], seat: int) -> str:
    """Return the name of a player on the match's page. Names we gave are translated."""
    if snapshot["same_device"]:
        return gettext("Player %(seat)s") % {"seat": seat}
    player = snapshot["players"][str(seat)]
    if player is None:
        return ""
    is_ours = "level" in player or "former" in player
    return gettext(player["name"]) if is_ours else str(player["name"])


@require_safe
@never_cache
@no_match_page
@in_loop(actions.load_match)
def review(request: HttpRequest, loaded: LoadedMatch, match_id: str) -> HttpResponse:
    """Show the review of a finished match. An unfinished one redirects to its page."""
    if loaded.outcome is None:
        return HttpResponseRedirect(reverse("match", args=[match_id]))
    you = loaded.seats_of(actions.viewer(request))
    gaps = {
        "match_id": loaded.row.pk,
        "snapshot": as_script({**protocol.snapshot(loaded), "you": you}, "snapshot"),
    }
    return page(request, "review.html", kit_of, loaded.row.game, gaps=gaps)


def kit_of(slug: str) -> dict[str, Any]:
    return {"kit": KITS[slug]}


@require_POST
def join_match(request: HttpRequest, match_id: str) -> HttpResponse:
    name = request.POST.get("name", "")[: LONGEST_TYPED + 1].strip()
    try:
        actions.join_match(request, match_id, name)
    except Refusal as refusal:
        # If both seats are taken, you watch. The match's page says so.
        if refusal.code not in ("full", "closed"):
            return refused(request, refusal)
    return to_match(request, match_id)


@require_POST
def cancel_match(request: HttpRequest, match_id: str) -> HttpResponse:
    try:
        actions.cancel_invitation(request, match_id)
    except Refusal as refusal:
        # Somebody has just joined; the match's page shows the board.
        if refusal.code != "not_open":
            return refused(request, refusal)
    return to_match(request, match_id)


def to_match(request: HttpRequest, match_id: str) -> HttpResponse:
    response = HttpResponseRedirect(reverse("match", args=[match_id]))
    actions.remember_guest(request, response)
    return response
