"""The pages."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from games.catalogue import KITS
from games.catalogue.examples import first_state, lesson, replay
from games.live import protocol
from games.matches.loaded_match import LoadedMatch
from games.matches.lookups import NoSuchMatch
from games.matches.names import LONGEST_TYPED
from games.models import Match
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.solver import LEVELS
from games.thinking import reviews
from games.web import actions
from games.web.errors import refused
from games.web.forms import USUAL_LEVEL, NewMatchForm
from games.web.links import qr_code, shareable
from games.web.previews import match_picture_address, picture_address
from games.words.translation import say

BAD_CHOICE = Template(_("That choice isn't available. Choose a game again."))


@require_safe
@never_cache
@ensure_csrf_cookie
def home(request: HttpRequest) -> HttpResponse:
    context = {
        "kits": KITS.values(),
        "levels": LEVELS.values(),
        "usual_level": USUAL_LEVEL,
        "link": shareable(request, reverse("home")),
        "picture": picture_address(request, "site_picture"),
    }
    return render(request, "home.html", context)


@require_safe
@never_cache
@ensure_csrf_cookie
def watch(request: HttpRequest) -> HttpResponse:
    """Show the listed matches being played. The page gets them from the lobby's socket."""
    context = {
        "kits": KITS.values(),
        "seats": (1, 2),
        "link": shareable(request, reverse("watch")),
        "picture": picture_address(request, "site_picture"),
    }
    return render(request, "watch.html", context)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in KITS:
        raise Http404
    kit = KITS[slug]
    context = {
        "kit": kit,
        "kits": KITS.values(),
        "start": kit.show(first_state(kit)),
        "example": [(entry, kit.show(entry.state)) for entry in replay(kit)],
        "easiest_level": next(iter(LEVELS)),
        "lesson": lesson(kit, say),
        "link": shareable(request, reverse("rules", args=[slug])),
        "picture": picture_address(request, "rules_picture", slug),
    }
    return render(request, kit.rules, context)


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


@require_safe
@never_cache
@ensure_csrf_cookie
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: the invitation, the board, or a notice that the invitation has ended."""
    try:
        stored = actions.find_with_history(request, match_id)
    except NoSuchMatch:
        return render(request, "no_match.html", status=404)
    except Refusal as refusal:
        return refused(request, refusal)
    row, loaded = stored.row, LoadedMatch(stored)
    you = loaded.seats_of(actions.viewer_id(request))
    link = shareable(request, reverse("match", args=[row.pk]))
    inviter = row.seat_1 or row.seat_2
    snapshot = protocol.snapshot(loaded)
    context: dict[str, Any] = {
        "kit": KITS[row.game],
        "match": row,
        "seated": bool(you),
        # Lets the page draw the board before its socket has connected.
        "snapshot": {**snapshot, "you": you},
        "players": list(snapshot["players"].values()),
        "is_open": row.status == Match.Status.OPEN,
        "has_ended": row.status in (Match.Status.CANCELLED, Match.Status.EXPIRED),
        "inviter": (row.name_1 or row.name_2) or (inviter.name if inviter else ""),
        "starts": row.seat_1_id is not None,
        "larger": bool(row.options),
        "link": link,
        "picture": match_picture_address(request, loaded),
        "qr_code": qr_code(link) if you and row.status == Match.Status.OPEN else "",
    }
    return render(request, "match.html", context)


@require_safe
@never_cache
def review(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the review of a finished match. An unfinished one redirects to its page."""
    try:
        loaded = reviews.finished(actions.find(request, match_id).pk)
    except NoSuchMatch:
        return render(request, "no_match.html", status=404)
    except Refusal as refusal:
        if refusal.code != "not_finished":
            return refused(request, refusal)
        return HttpResponseRedirect(reverse("match", args=[match_id]))
    you = loaded.seats_of(actions.viewer_id(request))
    context = {
        "kit": KITS[loaded.row.game],
        "match": loaded.row,
        "snapshot": {**protocol.snapshot(loaded), "you": you},
    }
    return render(request, "review.html", context)


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
