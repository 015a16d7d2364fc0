"""Names of guests: friendly generated ones, and those people choose for one match."""

import secrets
import unicodedata

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


class BadName(ValueError):
    """A name that cannot be shown; `text` says what is wanted."""

    def __init__(self) -> None:
        self.text = f"A name has 1 to {LONGEST} letters, digits or signs."
        super().__init__(self.text)


def generated_name() -> str:
    return f"{secrets.choice(QUALITIES)} {secrets.choice(ANIMALS)}"


def clean_name(name: str) -> str:
    """A chosen name as it is shown: one line, nothing invisible, nothing that reorders text."""
    name = unicodedata.normalize("NFKC", name)
    # The categories C are control, format, surrogate and unassigned characters.
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
