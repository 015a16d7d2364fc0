"""The pages."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from games.catalogue import KITS
from games.catalogue.examples import first_state, lesson, replay
from games.live import protocol
from games.live.hub import HUB
from games.matches import identity, limits, selectors, services
from games.matches.loaded_match import LoadedMatch
from games.matches.services import Refused
from games.models import Match
from games.solver import LEVELS
from games.thinking import reviews
from games.web.api import address_of, limit, require_guest, set_guest_cookie
from games.web.forms import USUAL_LEVEL, JoinForm, NewMatchForm
from games.web.links import qr_code, shareable
from games.web.previews import match_picture_address, picture_address
from games.words.phrases import translated


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
    """All listed matches that are being played; the lobby's socket says which."""
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
        "lesson": lesson(kit, translated),
        "link": shareable(request, reverse("rules", args=[slug])),
        "picture": picture_address(request, "rules_picture", slug),
    }
    return render(request, kit.rules, context)


@require_POST
def new_match(request: HttpRequest) -> HttpResponse:
    form = NewMatchForm(request.POST)
    if not form.is_valid():
        return refused(request, gettext("That choice is not possible. Choose a game again."), 400)
    try:
        guest = require_guest(request)
        limit(limits.CREATING_BY_ADDRESS, address_of(request))
        limit(limits.CREATING_BY_GUEST, guest.pk)
        match, _ = services.create_match(guest=guest, **form.settings())
    except Refused as refusal:
        return refused(request, translated(refusal.text), refusal.status)
    HUB.changed(match.pk)
    return to_match(request, match.pk)


@require_safe
@never_cache
@ensure_csrf_cookie
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match's page: the invitation, the board, or that it has ended. A GET changes nothing."""
    stored = selectors.stored_match(selectors.clean_match_id(match_id) or "")
    if stored is None:
        if not limits.MISSES_BY_ADDRESS.allows(address_of(request)):
            return refused(request, gettext("Too many wrong links from here. Wait a minute."), 429)
        return render(request, "no_match.html", status=404)
    row, loaded = stored.row, LoadedMatch(stored)
    you = loaded.seats_of(identity.guest_id_from(request.COOKIES.get(identity.COOKIE, "")))
    link = shareable(request, reverse("match", args=[row.pk]))
    inviter = row.seat_1 or row.seat_2
    snapshot = protocol.snapshot(loaded)
    context: dict[str, Any] = {
        "kit": KITS[row.game],
        "match": row,
        "seated": bool(you),
        # So that the board is drawn at once, before the socket has connected.
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
    """The review of a finished match; before its end there is nothing to review."""
    cleaned = selectors.clean_match_id(match_id) or ""
    try:
        loaded = reviews.finished(cleaned)
    except Refused:
        return HttpResponseRedirect(reverse("match", args=[match_id]))
    you = loaded.seats_of(identity.guest_id_from(request.COOKIES.get(identity.COOKIE, "")))
    context = {
        "kit": KITS[loaded.row.game],
        "match": loaded.row,
        "snapshot": {**protocol.snapshot(loaded), "you": you},
    }
    return render(request, "review.html", context)


@require_POST
def join_match(request: HttpRequest, match_id: str) -> HttpResponse:
    form = JoinForm(request.POST)
    form.is_valid()
    cleaned = selectors.clean_match_id(match_id) or ""
    try:
        guest = require_guest(request)
        limit(limits.JOINING_BY_ADDRESS, address_of(request))
        limit(limits.JOINING_BY_GUEST, guest.pk)
        services.join_match(match_id=cleaned, guest=guest, name=form.cleaned_data["name"])
    except Refused as refusal:
        if refusal.code not in ("full", "closed"):
            return refused(request, translated(refusal.text), refusal.status)
        # Whoever comes too late watches; the page says so.
    else:
        HUB.changed(cleaned)
    return to_match(request, cleaned)


@require_POST
def cancel_match(request: HttpRequest, match_id: str) -> HttpResponse:
    cleaned = selectors.clean_match_id(match_id) or ""
    try:
        services.cancel_invitation(match_id=cleaned, guest=require_guest(request))
    except Refused as refusal:
        if refusal.code != "not_open":
            return refused(request, translated(refusal.text), refusal.status)
    HUB.changed(cleaned)
    return to_match(request, cleaned)


def to_match(request: HttpRequest, match_id: str) -> HttpResponse:
    response = HttpResponseRedirect(reverse("match", args=[match_id]))
    if guest := getattr(request, "new_cookie_for", None):
        set_guest_cookie(response, guest, secure=request.is_secure())
    return response


def refused(request: HttpRequest, text: str, status: int) -> HttpResponse:
    return render(request, "refused.html", {"text": text}, status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    text = gettext(
        "This page was open for too long, or your browser blocks cookies. Go back and try again."
    )
    return refused(request, text, 403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refused(request, gettext("That request could not be understood."), 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refused(request, gettext("You may not do that here."), 403)
