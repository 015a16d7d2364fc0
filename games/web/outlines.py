"""Pages rendered once, with gaps for what differs from one request to the next.

Rendering a template takes milliseconds, most of them for translated texts and the names of static
files, which are always the same. So a template is rendered with a mark in each gap, and the result
is kept, cut at the marks. A page is then its parts with this request's values in between.

    page(request, "rules.html", about_game, slug, gaps={"link": link})

`about_game(slug)` returns the template's context. It may depend on its arguments and on the
language, because those are what an outline is kept by, but not on the request.
"""

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template import loader
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override

from games.live import protocol
from games.matches import identity

# A match's page has the most, by game, status, language and so on. An outline has about 20 KB.
MOST_OUTLINES = 300

# Letters and digits only, so that neither escaping nor quoting changes a mark; and random, so that
# nothing else on a page can look like one.
MARK = f"gap{secrets.token_hex(16)}"
GAP = re.compile(f"{MARK}X([a-z0-9_]+)X")

INDENTATION = re.compile(r"\n\s+")

TOKEN = "csrf_token"
# "yes" for a browser with a guest's cookie, so that scripts know whether to ask for their name.
IS_GUEST = "is_guest"

THEMES = ("light", "dark")


class Choices(NamedTuple):
    """What a person chose in the settings; empty if they chose nothing."""

    theme: str = ""
    chosen_language: str = ""


def choices_of(request: HttpRequest | None) -> Choices:
    if request is None:
        return Choices()
    theme = request.COOKIES.get("theme", "")
    language = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return Choices(
        theme if theme in THEMES else "",
        language if language in dict(settings.LANGUAGES) else "",
    )


class Outline:
    """A rendered page, cut at its gaps."""

    def __init__(self, text: str) -> None:
        # Indentation is for those who write templates, except where it is shown.
        pieces = GAP.split(text if "<pre" in text else INDENTATION.sub("\n", text))
        self._parts = [piece.encode() for piece in pieces]
        # Every other piece is the name of a gap.
        self._gaps = list(enumerate(pieces))[1::2]

    def filled(self, request: HttpRequest | None, values: Mapping[str, str]) -> bytes:
        parts = self._parts.copy()
        token = None
        for place, name in self._gaps:
            if name == TOKEN:
                assert request is not None
                # Asking for it sets the cookie, so only pages with a form do.
                parts[place] = token = token or get_token(request).encode()
            elif name == IS_GUEST:
                is_guest = request is not None and identity.COOKIE in request.COOKIES
                parts[place] = b"yes" if is_guest else b""
            else:
                parts[place] = conditional_escape(values[name]).encode()
        return b"".join(parts)


def nothing() -> dict[str, Any]:
    return {}


def page(
    request: HttpRequest | None,
    template: str,
    about: Callable[..., dict[str, Any]] = nothing,
    *args: Hashable,
    gaps: Mapping[str, str] | None = None,
    status: int = 200,
    content_type: str | None = None,
) -> HttpResponse:
    """Return a page in the current language. The values of its gaps are escaped, unless safe."""
    values = gaps or {}
    language, choices = get_language() or settings.LANGUAGE_CODE, choices_of(request)
    key = (language, choices, template, tuple(values), about, args)

    def render() -> Outline:
        with override(language):
            context = {**about(*args), **choices._asdict(), **marks(values)}
            return kept.add(key, Outline(loader.render_to_string(template, context)))

    outline = kept.get(key)
    if outline is None:
        if getattr(request, "in_loop", False):
            raise NotKept(render)
        outline = render()
    return HttpResponse(outline.filled(request, values), content_type, status)


def marks(gaps: Iterable[str]) -> dict[str, str]:
    return {name: f"{MARK}X{name}X" for name in (TOKEN, IS_GUEST, *gaps)}


class NotKept(BaseException):
    """A page has to be rendered first, which takes too long for the event loop.

    Not an `Exception`, because it is for the server: no view or middleware should handle it.
    """

    def __init__(self, render: Callable[[], object]) -> None:
        self.render = render


class Kept:
    """The outlines used last."""

    def __init__(self) -> None:
        self._outlines: OrderedDict[Hashable, Outline] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Outline | None:
        with self._lock:
            if key in self._outlines:
                self._outlines.move_to_end(key)
            return self._outlines.get(key)

    def add(self, key: Hashable, outline: Outline) -> Outline:
        with self._lock:
            self._outlines[key] = outline
            if len(self._outlines) > MOST_OUTLINES:
                self._outlines.popitem(last=False)
        return outline


kept = Kept()


def as_script(data: dict[str, Any], name: str) -> SafeString:
    """Return data for a page's script, like `json_script` but several times as fast."""
    text = protocol.encode(data)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04X}")
    return mark_safe(f'<script id="{name}" type="application/json">{text}</script>')
