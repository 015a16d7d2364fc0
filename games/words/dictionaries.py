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

from games.rules import GAMES
from games.sentences import Template

FOLDER = Path(settings.BASE_DIR) / "static" / "js" / "languages"

# Scripts may show these. Pages come with the other sentences already translated: the catalogue's
# and those about creating and joining.
USUAL = (
    *("games.rules", "games.solver.levels", "games.thinking", "games.live"),
    *("games.matches.limits", "games.matches.loaded_match", "games.matches.lookups"),
    *("games.matches.identity", "games.matches.rematches"),
)
# What scripts may have to say about a name.
ME = ("games.matches.names",)
# Only for hints and reviews, which most pages never show. Reviews also show what the API refuses.
SOLVER = ("games.solver", "games.web")
# The pages about a guest's devices come with these.
DEVICES = ("games.guests", "games.matches.identity", "games.matches.limits", "games.web.errors")
# Separates a text from its context. What scripts say only in reviews or lists has one.
CONTEXT = "\x04"


def templates_in(packages: Iterable[str]) -> set[str]:
    """Return the texts of all templates that are module constants in these packages."""
    return _templates(_modules(packages))


def _templates(modules: Iterable[str]) -> set[str]:
    return {
        text
        for module in modules
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
    """Return scripts with a language's words, by file name.

    One is for every page, one for reviews and hints, one for what pages say about oneself, and one
    for each game.
    """
    own, usual = _own_words(language), templates_in(USUAL)
    rules = {slug: type(game).__module__ for slug, game in GAMES.items()}
    common = _templates(set(_modules(USUAL)) - set(rules.values()))
    for_reviews, about_oneself = (_take(own, context) for context in ("review", "me"))
    boards = {slug: _take_board(own, slug) for slug in GAMES}
    with override(language):
        games = {
            slug: {**boards[slug], **_translated(_templates([rules[slug]]) - common)}
            for slug in GAMES
        }
        solver = _translated(templates_in(SOLVER) - usual)
        scripts = {
            f"{language}-solver.js": {**for_reviews, **solver},
            f"{language}-me.js": {**about_oneself, **_translated(templates_in(ME) - usual)},
            **{f"{language}-{slug}.js": words for slug, words in games.items()},
        }
        for_all = {**own, **_translated(common)}
    loaders = "".join(
        f'  "{slug}": () => import("./{language}-{slug}.js"),\n' for slug in sorted(GAMES)
    )
    return {
        f"{language}.js": f"{_script(for_all)}\nexport const GAMES = {{\n{loaders}}};\n",
        **{name: _script(words) for name, words in scripts.items()},
    }


def _take_board(words: dict[str, str], slug: str) -> dict[str, str]:
    """Take the words that only this game's board uses out of a dictionary."""
    static = FOLDER.parent.parent
    board = static / "games" / slug / "board.js"
    others = [path for path in static.rglob("*.js") if path != board and path.parent != FOLDER]
    own, rest = board.read_text(), "\n".join(path.read_text() for path in others)

    def is_own(text: str) -> bool:
        quoted = json.dumps(text, ensure_ascii=False)
        return quoted in own and quoted not in rest

    return {text: words.pop(text) for text in list(words) if is_own(text)}


def _take(words: dict[str, str], context: str) -> dict[str, str]:
    """Take the words with this context out of a dictionary."""
    return {text: words.pop(text) for text in list(words) if text.startswith(context + CONTEXT)}


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
