"""What may be chosen about a game before a match, and the sentence for a choice out of range."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class BadOption(ValueError):
    """A match cannot be set up like this; `text` says why, for people."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class Option:
    """One choice: its default, and the whole numbers or the words it may be."""

    default: int | str
    allowed: range | tuple[str, ...]

    def check(self, name: str, value: object) -> None:
        # `type is`, because True counts as 1 and 9.0 equals 9.
        kind = int if isinstance(self.allowed, range) else str
        if type(value) is kind and value in self.allowed:
            return
        if isinstance(self.allowed, range):
            limits = f"a whole number from {self.allowed[0]} to {self.allowed[-1]}"
        else:
            limits = "one of " + ", ".join(self.allowed)
        raise BadOption(f"The option {name} must be {limits}, not {show(value)}.")


def show(value: object) -> str:
    """A wrong value as part of a sentence, however long it is."""
    try:
        text = f'"{value}"' if isinstance(value, str) else repr(value)
    except ValueError:  # Python writes out no number of more than 4,300 digits
        return "such a large number"
    return text if len(text) <= 30 else text[:30] + "…"


def complete(options: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given choices, checked, with the defaults for the rest."""
    for name in given:
        if name not in options:
            known = ", ".join(options)
            raise BadOption(f"There is no option {show(name)} here; there is {known}.")
    chosen = {name: given.get(name, option.default) for name, option in options.items()}
    for name, option in options.items():
        option.check(name, chosen[name])
    return chosen
