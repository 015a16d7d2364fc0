"""The options of a game: what can be chosen before a match, and the message for a bad choice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.refusals import Refusal
from games.sentences import PLAIN, Template, Value
from games.sentences import gettext_noop as _

QUOTED = Template(_('"{text}"'))
TOO_LARGE_TO_WRITE = Template(_("such a large number"))


class BadOption(Refusal):
    """A match can't be set up like this. Pages only offer choices that can, so it stays English."""

    def __init__(self, text: str) -> None:
        super().__init__("bad_option", PLAIN(text=text))


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


def show(value: object) -> Value:
    """A wrong value as part of a sentence, however long it is."""
    if isinstance(value, str):
        return QUOTED(text=_shortened(value))
    try:
        return _shortened(repr(value))
    except ValueError:  # Python refuses to write out numbers of more than 4,300 digits
        return TOO_LARGE_TO_WRITE()


def _shortened(text: str) -> str:
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
