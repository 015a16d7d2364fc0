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

# Scripts may show these. Pages come with the catalogue's sentences already translated.
USUAL = ("games.rules", "games.matches", "games.thinking", "games.live", "games.web")
# Only for hints and reviews, which most pages don't show.
SOLVER = ("games.solver",)


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
        for found in walk_packages(import_module(package).__path__, f"{package}."):
            yield found.name


def dictionaries(language: str) -> dict[str, str]:
    """Return two scripts with a language's words, by file name: for every page, for the solver."""
    usual = templates_in(USUAL)
    with override(language):
        return {
            f"{language}.js": _script({**_own_words(language), **_translated(usual)}),
            f"{language}-solver.js": _script(_translated(templates_in(SOLVER) - usual)),
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
