"""Sentences that are made in English and translated where they are shown.

The rules and the solver know no languages, and what the server says of a match goes to everyone as
it is. So a sentence is recognised by its pattern here, and said again in the reader's language. In
the browser `static/js/words/translate.js` does the same with the patterns that `make messages`
writes to `static/js/languages/`.

In a pattern, `{player}` is Player 1 or Player 2; a sentence about them has a twin for the reader,
who is "you" in it. `{numbers}` is a list or nothing, `{reason}` a sentence or a part of one, and
`{text}` whatever somebody entered; all other names stand for one number. A text that is no pattern
is translated sentence by sentence.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from gettext import translation
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

NUMBER = r"-?\d+"
PLAYER = re.compile("Player ([12])")
KINDS = {
    "player": "Player [12]",
    "list": r"\d+(?:(?:,| with) \d+)*",
    "last": r"\d+(?: with \d+)?",
    "numbers": r"nothing|none|\d+(?:(?:,| with| and| or) \d+)*(?: or one of \d+ others)?",
    "reason": ".+",
    "text": ".+",
}

LISTS = (
    _("{list} and {last}"),
    _("{list} or {last}"),
    _("{list} or one of {a} others"),
    _("{a} with {b}"),
    _("nothing"),
    _("none"),
    _('"{text}"'),
    _("such a large number"),
)

RULES = (
    _("This match is over."),
    _("It is {player}'s turn."),
    _("It is your turn."),
    _("Nobody passes in {text}: play a number."),
    _("A move is a whole number, not {text}."),
    _("A move is a whole number or the word pass, not {text}."),
    _("The numbers go from 1 to {a}, and {text} is not among them."),
    # Number Tower Duel, Number Eliminator and Chain Factor
    _("{a} is neither a divisor nor a multiple of {b}."),
    _("{a} and {b} share the factor {c}."),
    _("{a} is already in the tower."),
    _("{a} has been crossed off already."),
    _("{a} has been removed already."),
    _("The first number must be even, and {a} is odd."),
    _("{player} cannot move, because {reason}."),
    _("you cannot move, because {reason}."),
    _("no number is left"),
    _("no divisor or multiple of {a} is left"),
    _("every number left shares a factor with {a}"),
    # Number Blossoms
    _("{a} is your centre, and a centre cannot be a petal as well."),
    _("{a} has left the pool already."),
    _("{a} and your centre {b} share no factor greater than 1."),
    _("Nothing in the pool does: you must pass."),
    _("You may not pass: first choose your centre."),
    _("You may not pass while a petal fits your centre {a}: {numbers}."),
    _("The blossom is complete, with {a} of {b} petals."),
    _("Nobody can add a petal, both have {a}, and {player} took the first turn."),
    _("Nobody can add a petal, both have {a}, and you took the first turn."),
    _("Nobody can add a petal, and {a} beats {b}."),
    # Number Collapse
    _("Position {a} is empty: its number is gone."),
    _("The positions go from 1 to {a}, and {text} is not among them."),
    _("Both have {a}, and {player} reached {b} first."),
    _("Both have {a}, and you reached {b} first."),
    _("Both have reached {a}, and {b} beats {c}."),
    _("The target of {a} is reached, {b} to {c}."),
    _("The grid is empty, both have {a}, and {player} had it first."),
    _("The grid is empty, both have {a}, and you had it first."),
    _("The grid is empty, and {a} beats {b}."),
)

SOLVER = (
    _("{a} ends the match: {reason}"),
    _("{a} wins for {player}."),
    _("{a} wins for you."),
    _("With best play by both {player} wins, for example like this: {reason}"),
    _("With best play by both you win, for example like this: {reason}"),
    _("{a} leaves only {b}, and {b} leaves {c}, after which nothing fits."),
    _("{a} leaves only {b}, and {c} answers it."),
    _("All that fits {a} has a partner to answer it with: {numbers}, and so on."),
    _("{a} leaves {list} and {last}: answer {numbers}."),
    _("Centre {a} fits {numbers}."),
    _("{a} fits both centres and leaves {player} {numbers}."),
    _("{a} fits both centres and leaves you {numbers}."),
    _("{a} leaves {player} {numbers}."),
    _("{a} leaves you {numbers}."),
    _("{a} takes {numbers} off the grid and leaves {player} {b} at most."),
    _("{a} takes {numbers} off the grid and leaves you {b} at most."),
    _("{a} leaves {player} {b} at most."),
    _("{a} leaves you {b} at most."),
    _("There is no other move."),
    _("This position is too large to be solved; nothing is known against {a}."),
    _("Every move loses against perfect play; nothing is known to outlast {a}."),
    _("Every move loses against perfect play; {a} holds out longest."),
    _("{numbers} kept the win."),
    _("The turning point was move {a}: {player} gave the win away."),
    _("The turning point was move {a}: you gave the win away."),
    _("The match was too large to be solved from its beginning."),
    _("{player} held the win from beginning to end."),
    _("you held the win from beginning to end."),
)

MATCHES = (
    _("Plays every move perfectly."),
    _("Plays perfectly {a} move of {b}, and the rest at random."),
    _("Plays perfectly {a} moves of {b}, and the rest at random."),
    _("Beginner computer"),
    _("Casual computer"),
    _("Skilled computer"),
    _("Perfect computer"),
    _("The computer cannot solve a grid of this size. Choose a smaller one."),
    _("{player} resigned."),
    _("you resigned."),
    _("{player} did not move in time."),
    _("you did not move in time."),
    _("The match begins when both seats are taken."),
    _("This match has been closed. Start a new one."),
    _("The match has moved on since. Look at the board again, then choose."),
    _("The match has moved on since. Ask again."),
    _("You are watching this match; only its players can do that."),
    _("There are no hints in a match between two people."),
    _("Wait for your turn, then ask."),
    _("It is your own turn: the other player is waiting for you."),
    _("The other player is here. Give them time to move."),
    _("Nobody can tell now who is here. Try again shortly."),
    _("You can claim the win in {a} seconds."),
    _("A rematch can be offered when the match is over."),
    _("A match can be reviewed when it is over."),
    _("The server is very busy. Try again in a moment."),
    _("That could not be saved just now, and nothing changed. Try again."),
    _("Something went wrong here, and nothing changed. Try again."),
    _("That was a lot at once. Wait a few seconds."),
    _("That was too much at once. Wait a minute, then try again."),
    _("Too many messages at once. Reload the page to go on."),
    _("Too many wrong links were tried from here. Wait a minute."),
    _("There is no such match. Check the link, or start a new match."),
    _("Your session has expired or is not valid. Reload the page to go on."),
    _("The site cannot reach its memory just now. Wait a moment."),
    _("The site cannot reach its memory just now. Nothing is lost: try again in a moment."),
)

# What scripts never show; the pages come with it in the reader's language.
PAGES = (
    _("Beginner"),
    _("Casual"),
    _("Skilled"),
    _("Perfect"),
    _("A name has 1 to {a} letters, digits or signs."),
    _("This invitation has ended. Ask for a new link."),
    _("Both seats are taken. You can watch this match."),
    _("Your session has ended. Reload the page and try again."),
    _("Only who made this invitation can cancel it."),
    _("This match has begun already; you can resign it instead."),
    # What happened in an example
    _("{player} placed {a} on {b}."),
    _("{player} placed {a} as the base of the tower."),
    _("The tower is {a} blocks high."),
    _("{player} removed {a}."),
    _("{player} crossed off {a}."),
    _("{player} chose {a} as the centre."),
    _("{player} added petal {a}: it shares the factor {b} with the centre."),
    _("{player}'s blossom is complete."),
    _("{player} selected {a} at position {b}."),
    _("{a} at position {b} fell under {c}."),
    _("{player} scored {a} and now has {b}."),
    _("{player} has reached the target of {a}."),
    _("{player} has one last turn to beat {a}."),
    _("The grid is empty."),
    _("{player} passed."),
    _("{player} has nothing to play."),
    _("{player} wins: {reason}"),
    # Its boards in words
    _("Available numbers: {numbers}"),
    _("Number pool: {numbers}"),
    _("Last number: {a}"),
    _("Tower: empty"),
    _("Tower: {numbers} (height {a})"),
    _("Barred, for a factor shared with {a}: {numbers}"),
    _("{player}'s blossom: centre {a}, petals {numbers}"),
    _("Player 1: {a}   Player 2: {b}   Target: {c}"),
)

PHRASES = (*LISTS, *RULES, *MATCHES, *SOLVER, *PAGES)


class Phrase(NamedTuple):
    """A pattern, and what recognises its sentences."""

    text: str
    recognise: re.Pattern[str]


def compiled(text: str) -> Phrase:
    known: set[str] = set()

    def group(found: re.Match[str]) -> str:
        name = found[1]
        kind = KINDS.get(name, NUMBER)
        again = name in known
        known.add(name)
        return f"(?:{kind})" if again else f"(?P<{name}>{kind})"

    # What re.escape makes of a brace is a brace again.
    source = re.sub(r"\\\{(\w+)\\\}", group, re.escape(text))
    return Phrase(text, re.compile(source))


@cache
def phrases() -> tuple[Phrase, ...]:
    return tuple(map(compiled, PHRASES))


def translated(text: str) -> str:
    """A text that was made in English, in the language of the page."""
    if (get_language() or settings.LANGUAGE_CODE) == settings.LANGUAGE_CODE:
        return text
    sentences = text.replace(". ", ".\n").split("\n")
    found = _whole(text) or " ".join(_whole(one) or one for one in sentences)
    return PLAYER.sub(lambda seat: gettext("Player %(seat)s") % {"seat": seat[1]}, found)


def _whole(text: str) -> str | None:
    for phrase in phrases():
        if found := phrase.recognise.fullmatch(text):
            values = {name: _part(value) for name, value in found.groupdict().items()}
            return gettext(phrase.text).format(**values)
    return None


def _part(text: str) -> str:
    """A part of a sentence; a sentence within another has lost its capital letter."""
    return _whole(text) or _whole(text[:1].upper() + text[1:]) or _listed(text)


def _listed(text: str) -> str:
    return ", ".join(_whole(one) or one for one in text.split(", ")) if ", " in text else text


STATIC = Path(__file__).parent.parent.parent / "static"
SCRIPTS = STATIC / "js"
OWN_TEXT = re.compile(r'gettext\(\s*("(?:[^"\\]|\\.)*")')


def own_texts(script: Path) -> set[str]:
    """What a script says by itself."""
    return set(map(json.loads, OWN_TEXT.findall(script.read_text())))


def browser_words(language: str) -> dict[str, str]:
    """The scripts that hold a language's words, by their names: for all pages, and the solver's."""
    own, pages = (
        translation(domain, settings.LOCALE_PATHS[0], [language])
        for domain in ("djangojs", "django")
    )

    def module(**parts: Iterable[tuple[str, str]]) -> str:
        texts = "".join(
            f"export const {name} = {json.dumps(dict(part), ensure_ascii=False, indent=0)};\n"
            for name, part in parts.items()
        )
        return f"// Written by `make messages`: change locale/ instead.\n\n{texts}"

    judge = SCRIPTS / "words" / "judgements.js"
    usual = set().union(*(own_texts(path) for path in STATIC.rglob("*.js") if path != judge))
    return {
        f"{language}.js": module(
            WORDS=((text, own.gettext(text)) for text in sorted(usual)),
            PHRASES=((text, pages.gettext(text)) for text in (*LISTS, *RULES, *MATCHES)),
            KINDS={**KINDS, "": NUMBER}.items(),
        ),
        f"{language}-solver.js": module(
            WORDS=((text, own.gettext(text)) for text in sorted(own_texts(judge) - usual)),
            PHRASES=((text, pages.gettext(text)) for text in SOLVER),
        ),
    }
