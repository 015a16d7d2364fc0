"""The options of a game, which are chosen before a match, and the refusal of a bad choice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.refusals import Refusal
from games.sentences import PLAIN, Template, Value
from games.sentences import gettext_noop as _

QUOTED = Template(_('"{text}"'))
TOO_LARGE_TO_WRITE = Template(_("such a large number"))


class BadOption(Refusal):
    """An option isn't valid. Pages only offer valid choices, so these texts stay in English."""

    def __init__(self, text: str) -> None:
        super().__init__("bad_option", PLAIN(text=text))


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its default, and the whole numbers or words that are allowed."""

    default: int | str
    allowed: range | tuple[str, ...]

    def check(self, name: str, value: object) -> None:
        # `type is`, because True equals 1 and 9.0 equals 9.
        kind = int if isinstance(self.allowed, range) else str
        if type(value) is kind and value in self.allowed:
            return
        if isinstance(self.allowed, range):
            limits = f"a whole number from {self.allowed[0]} to {self.allowed[-1]}"
        else:
            limits = "one of " + ", ".join(self.allowed)
        raise BadOption(f"The option {name} must be {limits}, not {show(value)}.")


def show(value: object) -> Value:
    """Return a wrong value for use in a sentence, shortened if it is long."""
    if isinstance(value, str):
        return QUOTED(text=_shortened(value))
    try:
        return _shortened(repr(value))
    except ValueError:  # Python refuses to write out numbers of more than 4,300 digits
        return TOO_LARGE_TO_WRITE()


def _shortened(text: str) -> str:
    return text if len(text) <= 30 else text[:30] + "…"


def complete(options: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the given options and add the defaults for the rest."""
    for name in given:
        if name not in options:
            known = ", ".join(options)
            raise BadOption(f"There is no option {show(name)} here; there is {known}.")
    chosen = {name: given.get(name, option.default) for name, option in options.items()}
    for name, option in options.items():
        option.check(name, chosen[name])
    return chosen
