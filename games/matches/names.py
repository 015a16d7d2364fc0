"""Names of guests: generated ones, and the ones people choose."""

import unicodedata

import regex

from games.matches.lookalikes import pretends_to_be_the_computer
from games.refusals import Refusal
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

NAME_LENGTH = Template(_("A name has 1 to {longest} characters. An emoji counts as one."))
TOO_MANY_PARTS = Template(_("That name has too many emoji made of several parts. Use fewer."))
INVISIBLE = Template(_("Nobody can see that name. Use letters, digits or symbols."))
STACKED = Template(_("That name has too many marks on one letter. Leave some of them out."))
COMPUTERS_NAME = Template(_("Only the computer may be called that. Choose another name."))

QUALITIES = (
    "Bold Brave Bright Calm Cheerful Clever Cosy Curious Dapper Eager Fearless Gentle Golden Happy "
    "Honest Jolly Keen Kind Lively Lucky Merry Mighty Nimble Patient Playful Polite Proud Quick "
    "Quiet Sharp Silver Sleepy Smiling Sunny Swift Tidy Tiny Wise Witty"
).split()
ANIMALS = (
    "Badger Bear Beaver Bee Crane Deer Dolphin Dove Falcon Ferret Finch Fox Gecko Goose Hare Heron "
    "Hedgehog Ibex Koala Lark Lynx Marten Mole Moose Newt Otter Owl Panda Puffin Raven Robin Seal "
    "Sparrow Squirrel Stork Swan Tiger Toad Turtle Wren"
).split()

# In characters as people count them: an emoji is one, and so is a letter with its accents.
LONGEST = 20
# In code points as typed. Cleaning a name makes it shorter, or up to eighteen times as long.
LONGEST_TYPED = 200
# In code points as stored. The column has this size.
LONGEST_STORED = 120

# Letters and symbols that show nothing: Hangul fillers, blank Braille and an empty note.
BLANK = "\u115f\u1160\u2800\U0001d159"

# How many marks a letter may carry. Hebrew שׁ with its dot, a dagesh and a vowel has three, and so
# has Arabic لَّٰ or Hindi फ़ें; of the accents of no script in particular, nobody needs three.
MOST_MARKS, MOST_ACCENTS = 3, 2

# One picture: alone, in its coloured form, or with a skin tone.
_PICTURE = r"\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?"
# Flags, keycaps, flags of regions (spelled in tags), and up to four pictures joined to one. No
# emoji has more, and what isn't an emoji is shown as that many pictures.
EMOJI = regex.compile(
    r"\p{RI}\p{RI}"
    r"|[0-9#*]\uFE0F?\u20E3"
    r"|\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{3,6}\U000E007F"
    rf"|{_PICTURE}(?:\u200D{_PICTURE}){{1,3}}"
    r"|\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})"
    r"|\p{Emoji_Presentation}"
)
# Scripts in which a joiner changes how the letters beside it look: Persian needs it in می‌خواهم.
_JOINED = (
    r"[\p{Arabic}\p{Syriac}\p{Nko}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}"
    r"\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
)
# What may be in a name although it shows nothing by itself: joiners between letters that need them
# or after a sign that drops a vowel, and the variants of Chinese characters and Mongolian letters.
_NEEDED = (
    rf"(?<={_JOINED})[\u200C\u200D](?={_JOINED})"
    rf"|(?<=\p{{CCC=9}})[\u200C\u200D](?!\p{{M}})"
    r"|(?<=\p{Han})[\uFE00-\uFE02\U000E0100-\U000E01EF]"
    r"|(?<=\p{Mongolian})[\u180B-\u180D\u180F]"
)
# What becomes a space. The C categories are control, format, surrogate, private and unassigned.
_GAP = rf"(?![\u200C\u200D])[\p{{C}}{BLANK}]"
# What falls away: other joiners, and marks that show nothing.
_NOTHING = r"\p{Default_Ignorable_Code_Point}"
_TO_CLEAN = regex.compile(rf"({EMOJI.pattern}|{_NEEDED})|({_GAP})|{_NOTHING}")
_SHOWS = regex.compile(r"[\p{L}\p{N}\p{S}\p{P}]")
_MARK = regex.compile(r"[\p{Mn}\p{Me}]")
_OWN_SPACE = regex.compile(r"\p{Mc}")
_CHARACTER = regex.compile(r"\X")


class BadName(Refusal):
    """A name that can't be shown."""

    def __init__(self, text: Sentence) -> None:
        super().__init__("bad_name", text)


def generated_name(guest_id: int) -> str:
    """Return a guest's name. It follows from the id, so it is the same before and after the guest
    is stored."""
    rest, quality = divmod(guest_id, len(QUALITIES))
    return f"{QUALITIES[quality]} {ANIMALS[rest % len(ANIMALS)]}"


def clean_name(name: str) -> str:
    """Return a chosen name as it is shown: one line, emoji as they are, and nothing invisible that
    no script needs. Raise `BadName` if it can't be shown, or if people would take it for the
    computer's."""
    if len(name) > LONGEST_TYPED:
        raise BadName(NAME_LENGTH(longest=LONGEST))
    cleaned = _cleaned(name)
    if not _SHOWS.search(cleaned):
        raise BadName(INVISIBLE())
    if sum(1 for _one in _CHARACTER.finditer(cleaned)) > LONGEST:
        raise BadName(NAME_LENGTH(longest=LONGEST))
    if _has_stacks(cleaned):
        raise BadName(STACKED())
    if len(cleaned) > LONGEST_STORED:
        raise BadName(TOO_MANY_PARTS())
    if pretends_to_be_the_computer(cleaned):
        raise BadName(COMPUTERS_NAME())
    return cleaned


def _cleaned(name: str) -> str:
    """Clean a name until cleaning it again changes nothing.

    A second round is needed if something hidden stood between a letter and its accent, or beside a
    joiner. After the first, a name only gets shorter, so this ends.
    """
    while (cleaned := _cleaned_once(name)) != name:
        name = cleaned
    return cleaned


def _cleaned_once(name: str) -> str:
    visible = _TO_CLEAN.sub(_visible, _normalized(name))
    return " ".join(visible.split())


def _visible(found: regex.Match[str]) -> str:
    needed, gap = found.groups()
    return needed or (" " if gap else "")


def _normalized(name: str) -> str:
    """Return a name with the usual form of every letter, but with emoji as they are: ™️ is no TM."""
    parts: list[str] = []
    end = 0
    for emoji in EMOJI.finditer(name):
        parts += unicodedata.normalize("NFKC", name[end : emoji.start()]), emoji[0]
        end = emoji.end()
    return "".join(parts) + unicodedata.normalize("NFKC", name[end:])


def _has_stacks(name: str) -> bool:
    """Return whether more marks are on top of each other than any language needs."""
    marks = accents = 0
    for character in name:
        if _MARK.match(character):
            marks += 1
            accents += unicodedata.name(character, "").startswith("COMBINING")
            if marks > MOST_MARKS or accents > MOST_ACCENTS:
                return True
        elif not _OWN_SPACE.match(character):
            # A vowel that takes its own space may stand between two marks.
            marks = accents = 0
    return False
