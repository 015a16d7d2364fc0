"""The German vocabulary: all words in the catalogue. Other words on a German page are mistakes."""

import ast
import re
from gettext import translation

from django.conf import settings

from games.rules import GAMES

FOLDER = settings.LOCALE_PATHS[0] / "de" / "LC_MESSAGES"
DOMAINS = ("django", "djangojs")
WORD = re.compile(r"[^\W\d_]+")
PLACEHOLDER = re.compile(r"\{\w+\}|%\(\w+\)s")
MARKUP = re.compile(r"<[^>]+>")

# Names are the same in every language, and each language has its own name for itself.
NAMES = {
    "Numgames",
    "English",
    "Deutsch",
    *(word for game in GAMES.values() for word in game.name.split()),
}


def entries(domain):
    """Return flags, text and translation of every entry of a .po file, without its header."""
    found = []
    for block in (FOLDER / f"{domain}.po").read_text().split("\n\n")[1:]:
        flags = [line for line in block.splitlines() if line.startswith("#,")]
        body = "\n".join(line for line in block.splitlines() if not line.startswith("#"))
        context, text, meaning = (
            "".join(map(ast.literal_eval, re.findall(r'"(?:[^"\\]|\\.)*"', part)))
            for part in re.split("^msgid|^msgstr", body, flags=re.MULTILINE)
        )
        found.append((" ".join(flags), f"{context}\x04{text}" if context else text, meaning))
    return found


def compiled(domain):
    """Return the texts and translations in the .mo file."""
    catalogue = translation(domain, settings.LOCALE_PATHS[0], ["de"])._catalog
    return {text: meaning for text, meaning in catalogue.items() if text}


def words(text):
    return set(WORD.findall(MARKUP.sub(" ", PLACEHOLDER.sub(" ", text))))


VOCABULARY = NAMES.union(
    *(words(meaning) for domain in DOMAINS for meaning in compiled(domain).values())
)


def foreign(text, *names):
    """Return the words of a text that aren't German, apart from people's names."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return words(text) - VOCABULARY
