"""Link previews: the pictures that chat apps show beside a link to a match, a game or the site."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from games.catalogue import KITS
from games.catalogue.examples import replay
from games.matches.loaded_match import LoadedMatch
from games.pictures.icons import icon_png
from games.refusals import Refusal
from games.web import actions
from games.web.cards import card_png, site_png
from games.web.errors import refused
from games.web.links import shareable

DAY = 24 * 60 * 60
YEAR = 365 * DAY

ICON_SIZES = (180, 192, 512)


def png(data: bytes, max_age: int) -> HttpResponse:
    immutable = ", immutable" if max_age == YEAR else ""
    cached = {"Cache-Control": f"public, max-age={max_age}{immutable}"}
    return HttpResponse(data, content_type="image/png", headers=cached)


def match_picture_address(request: HttpRequest, loaded: LoadedMatch) -> str:
    """Return the address of the picture of a match's current version."""
    return picture_address(request, "match_picture", loaded.row.pk, loaded.version)


def picture_address(request: HttpRequest, name: str, *args: Any) -> str:
    """Return the address of a picture in the page's language, for use on a friend's device."""
    language = get_language()
    chosen = "" if language == settings.LANGUAGE_CODE else f"?language={language}"
    return shareable(request, reverse(name, args=args)) + chosen


def asked_language(request: HttpRequest) -> str:
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


@require_safe
def match_picture(request: HttpRequest, match_id: str, version: int) -> HttpResponse:
    """Draw the position of a match at one version. It never changes, so it's cached for good."""
    try:
        loaded = actions.load_match(request, match_id)
    except Refusal as refusal:
        return refused(request, refusal)
    if version > loaded.version:
        raise Http404
    entry = loaded.entries[version - 1] if version else None
    state = entry.state if entry else loaded.first_state
    with override(asked_language(request)):
        text = headline(state, entry)
    return png(card_png(loaded.row.game, state, text), YEAR)


def headline(state: Any, entry: Any) -> str:
    """Say briefly how a match stands. Players' names are shown only on the match's page."""
    if entry is None:
        return gettext("Come and play")
    if entry.outcome is None:
        return gettext("Player %(seat)s's turn") % {"seat": state.turn}
    return gettext("Player %(seat)s wins") % {"seat": entry.outcome.winner}


@require_safe
def rules_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw a position from the middle of a game's worked example."""
    if slug not in KITS:
        raise Http404
    entries = [entry for entry in replay(KITS[slug]) if entry.refused is None]
    with override(asked_language(request)):
        text = gettext("How to play\nin 30 seconds")
    return png(card_png(slug, entries[len(entries) // 2].state, text), DAY)


@require_safe
def site_picture(request: HttpRequest) -> HttpResponse:
    with override(asked_language(request)):
        text = gettext("Quick number duels")
    return png(site_png(text), DAY)


@require_safe
def icon(request: HttpRequest, size: int, kind: str) -> HttpResponse:
    if size not in ICON_SIZES or kind not in ("any", "maskable"):
        raise Http404
    return png(icon_png(size, maskable=kind == "maskable"), DAY)
