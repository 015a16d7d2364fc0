"""Collects every template of the server, and builds the scripts' dictionaries from them."""

import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from django.conf import settings
from django.utils.translation import gettext, override
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog

from games.sentences import Template

FOLDER = Path(settings.BASE_DIR) / "static" / "js" / "languages"

# Scripts may show these. Pages come with the other sentences already translated: the catalogue's
# and those about names, creating and joining.
USUAL = (
    *("games.rules", "games.solver.levels", "games.thinking", "games.live"),
    *("games.matches.limits", "games.matches.loaded_match", "games.matches.lookups"),
    "games.matches.rematches",
)
# Only for hints and reviews, which most pages never show. Reviews also show what the API refuses.
SOLVER = ("games.solver", "games.web")
# Separates a text from its context. What scripts say only in reviews has one.
CONTEXT = "\x04"


def templates_in(packages: Iterable[str]) -> set[str]:
    """Return the texts of all templates that are module constants in these packages."""
    return {
        text
        for module in _modules(packages)
        for value in vars(import_module(module)).values()
        if isinstance(value, Template)
        for text in (value.text, value.you)
        if text
    }


def _modules(packages: Iterable[str]) -> Iterator[str]:
    for package in packages:
        yield package
        path = getattr(import_module(package), "__path__", [])
        for found in walk_packages(path, f"{package}."):
            yield found.name


def dictionaries(language: str) -> dict[str, str]:
    """Return two scripts with a language's words, by file name: for every page, for the solver."""
    own, usual = _own_words(language), templates_in(USUAL)
    for_reviews = {text: own.pop(text) for text in list(own) if CONTEXT in text}
    with override(language):
        solver = _translated(templates_in(SOLVER) - usual)
        return {
            f"{language}.js": _script({**own, **_translated(usual)}),
            f"{language}-solver.js": _script({**for_reviews, **solver}),
        }


def _own_words(language: str) -> dict[str, str]:
    """Return the translations of the texts that are written in the scripts."""
    view = JavaScriptCatalog()
    folders = [str(path) for path in settings.LOCALE_PATHS]
    view.translation = DjangoTranslation(language, domain="djangojs", localedirs=folders)
    # No text in the scripts has plural forms.
    return {text: str(meaning) for text, meaning in view.get_catalog().items()}


def _translated(texts: set[str]) -> dict[str, str]:
    return {text: gettext(text) for text in texts}


def _script(words: dict[str, str]) -> str:
    listed = json.dumps(dict(sorted(words.items())), ensure_ascii=False, indent=0)
    head = "// Written by `make messages`: change locale/ instead."
    return f"{head}\n\nexport const WORDS = {listed};\n"
