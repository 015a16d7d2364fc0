"""Turn the events of a move into sentences for people."""

from collections.abc import Iterable

from games.catalogue.kit import Kit
from games.rules import Event
from games.sentences import Sentence, Template, Value
from games.sentences import gettext_noop as _

PASSED = Template(_("{player} passed."))
STUCK = Template(_("{player} has nothing to play."))
WON = Template(_("{player} wins: {text}"))
NONE = Template(_("none"))


def listed(numbers: Iterable[int]) -> Value:
    """Return the numbers as a value for a sentence, or the word "none"."""
    return list(numbers) or NONE()


def tell(kit: Kit, events: Iterable[Event]) -> tuple[Sentence, ...]:
    """Return a sentence for each event."""
    return tuple(kit.narration[event["type"]](**_values(event)) for event in events)


def _values(event: Event) -> dict[str, object]:
    fields = {name: value for name, value in event.items() if name not in ("type", "seat")}
    return {"player": event["seat"], **fields} if "seat" in event else fields
