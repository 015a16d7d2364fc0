"""Names of guests: generated ones, and the ones people choose for a single match."""

import unicodedata

from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

NAME_LENGTH = Template(_("A name needs 1 to {longest} letters, digits or symbols."))

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


class BadName(Refusal):
    """A name that can't be shown."""

    def __init__(self) -> None:
        super().__init__("bad_name", NAME_LENGTH(longest=LONGEST))


def generated_name(guest_id: int) -> str:
    """Return a guest's name. It follows from the id, so it is the same before and after the guest
    is stored."""
    rest, quality = divmod(guest_id, len(QUALITIES))
    return f"{QUALITIES[quality]} {ANIMALS[rest % len(ANIMALS)]}"


def clean_name(name: str) -> str:
    """Return a chosen name as it is shown: one line, no invisible characters, no text direction
    marks. Raise `BadName` if nothing visible is left or the name is too long."""
    name = unicodedata.normalize("NFKC", name)
    # The C categories are control, format, surrogate and unassigned characters.
    visible = "".join(
        character if not unicodedata.category(character).startswith("C") else " "
        for character in name
    )
    cleaned = " ".join(visible.split())
    if not 1 <= len(cleaned) <= LONGEST or not any(
        unicodedata.category(character)[0] in "LNSP" for character in cleaned
    ):
        raise BadName
    return cleaned
