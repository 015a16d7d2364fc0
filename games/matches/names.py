"""Names of guests: generated ones, and the ones people choose for a single match."""

import unicodedata

from games.matches.lookalikes import pretends_to_be_the_computer
from games.refusals import Refusal
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

NAME_LENGTH = Template(_("A name needs 1 to {longest} letters, digits or symbols."))
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

LONGEST = 20
# In characters as typed. Cleaning a name makes it shorter, or up to eighteen times as long.
LONGEST_TYPED = 200

# Letters and symbols that show nothing: Hangul fillers, blank Braille and an empty note.
BLANK = "\u115f\u1160\u2800\U0001d159"

# How many marks a letter may carry. Hebrew שׁ with its dot, a dagesh and a vowel has three, and so
# has Arabic لَّٰ or Hindi फ़ें; of the accents of no script in particular, nobody needs three.
MOST_MARKS, MOST_ACCENTS = 3, 2


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
    """Return a chosen name as it is shown: one line, no invisible characters, no text direction
    marks. Raise `BadName` if it can't be shown, or if people would take it for the computer's."""
    if len(name) > LONGEST_TYPED:
        raise BadName(NAME_LENGTH(longest=LONGEST))
    name = unicodedata.normalize("NFKC", name)
    # The C categories are control, format, surrogate and unassigned characters.
    visible = "".join(
        " " if character in BLANK or unicodedata.category(character)[0] == "C" else character
        for character in name
    )
    cleaned = " ".join(visible.split())
    if not any(unicodedata.category(character)[0] in "LNSP" for character in cleaned):
        raise BadName(INVISIBLE())
    if len(cleaned) > LONGEST:
        raise BadName(NAME_LENGTH(longest=LONGEST))
    if _has_stacks(cleaned):
        raise BadName(STACKED())
    if pretends_to_be_the_computer(cleaned):
        raise BadName(COMPUTERS_NAME())
    return cleaned


def _has_stacks(name: str) -> bool:
    """Return whether more marks are on top of each other than any language needs."""
    marks = accents = 0
    for character in name:
        category = unicodedata.category(character)
        if category in ("Mn", "Me"):
            marks += 1
            accents += unicodedata.name(character, "").startswith("COMBINING")
            if marks > MOST_MARKS or accents > MOST_ACCENTS:
                return True
        elif category != "Mc":  # a vowel that takes its own space may stand between two marks
            marks = accents = 0
    return False
