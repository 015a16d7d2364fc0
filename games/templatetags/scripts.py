"""`{% scripts "match.js" %}`: a page's module, and word of every module that it will ask for.

A browser learns of a module's imports when it has read the module. Told in advance, it fetches all
of them at once.
"""

import posixpath
import re
from functools import cache
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

IMPORT = re.compile(r'^import (?:[^;"]* from )?"(\.[^"]+)";', re.MULTILINE)


@cache
def imported(name: str) -> frozenset[str]:
    """The modules that a module imports, directly or through others."""
    path = finders.find(name)
    assert isinstance(path, str), f"There is no static file {name}."
    source = Path(path).read_text()
    folder = posixpath.dirname(name)
    direct = {posixpath.normpath(posixpath.join(folder, other)) for other in IMPORT.findall(source)}
    return frozenset(direct).union(*map(imported, direct))


@register.simple_tag
def scripts(name: str, board: str = "") -> SafeString:
    """The tags for a page's module; `board` is the game whose board it loads once it runs."""
    module = f"js/pages/{name}"
    needed = set(imported(module))
    if board:
        needed |= {f"games/{board}/board.js", *imported(f"games/{board}/board.js")}
    language = get_language()
    if "js/words/translate.js" in needed and language != settings.LANGUAGE_CODE:
        needed.add(f"js/languages/{language}.js")
        if "js/words/judgements.js" in needed:
            needed.add(f"js/languages/{language}-solver.js")
    preloads = format_html_join(
        "\n  ",
        '<link rel="modulepreload" href="{}">',
        ((static(other),) for other in sorted(needed)),
    )
    return format_html('<script type="module" src="{}"></script>\n  {}', static(module), preloads)
