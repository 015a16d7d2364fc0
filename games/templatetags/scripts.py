"""`{% scripts "match.js" %}`: load a page's module, and preload every module that it imports.

A browser finds a module's imports only after it has read the module. With preloads it fetches all
of them at once.

`{% catalogue kits %}`: the data about games that parts/boards.js reads.
"""

import posixpath
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.catalogue import Kit

register = template.Library()

IMPORT = re.compile(r'^import (?:[^;"]* from )?"(\.[^"]+)";', re.MULTILINE)


@cache
def imported(name: str) -> frozenset[str]:
    """Return the modules that a module imports, directly or through others."""
    path = finders.find(name)
    assert isinstance(path, str), f"There is no static file {name}."
    source = Path(path).read_text()
    folder = posixpath.dirname(name)
    direct = {posixpath.normpath(posixpath.join(folder, other)) for other in IMPORT.findall(source)}
    return frozenset(direct).union(*map(imported, direct))


@register.simple_tag
def scripts(name: str, board: str = "") -> SafeString:
    """Return the tags for a page's module; `board` is the script of the board that it will load."""
    module = f"js/pages/{name}"
    needed = set(imported(module))
    if board:
        needed |= {board, *imported(board)}
    language = get_language()
    if "js/words/translate.js" in needed and language != settings.LANGUAGE_CODE:
        needed.add(f"js/languages/{language}.js")
        if "js/words/judgements.js" in needed:
            needed.add(f"js/languages/{language}-solver.js")
        if "js/words/mine.js" in needed:
            needed.add(f"js/languages/{language}-me.js")
        if board:
            needed.add(f"js/languages/{language}-{posixpath.basename(posixpath.dirname(board))}.js")
    preloads = format_html_join(
        "\n  ",
        '<link rel="modulepreload" href="{}">',
        ((static(other),) for other in sorted(needed)),
    )
    return format_html('<script type="module" src="{}"></script>\n  {}', static(module), preloads)


@register.simple_tag
def catalogue(kits: Kit | Iterable[Kit]) -> SafeString:
    """Return the games that a page may show, as JSON.

    The names of static files contain a hash, so a script can't work out a board's URL.
    """
    shown = [kits] if isinstance(kits, Kit) else kits
    games = {
        kit.slug: {"name": kit.name, "accent": kit.accent, "board": static(kit.script)}
        for kit in shown
    }
    return json_script(games, "catalogue")
