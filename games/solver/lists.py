"""Lists within a sentence: "1, 2 and 3", "1, 2 or 3", "nothing"."""

from collections.abc import Sequence

from games.sentences import Template, Value
from games.sentences import gettext_noop as _

AND = Template(_("{most} and {last}"))
OR = Template(_("{most} or {last}"))
OR_OTHERS = Template(_("{most} or one of {count} others"))
NOTHING = Template(_("nothing"))

SHOWN = 3
"""How many values to name if there are too many for a sentence."""


def listed(values: Sequence[Value], link: Template = AND) -> Value:
    """Join all values, the last with "and" or "or". Without values, say "nothing"."""
    if not values:
        return NOTHING()
    *most, last = values
    return link(most=most, last=last) if most else last


def some(values: Sequence[Value]) -> Value:
    """Name all of a few alternatives, or the first of many and how many others there are."""
    if len(values) <= SHOWN + 1:
        return listed(values, OR)
    return OR_OTHERS(most=values[:SHOWN], count=len(values) - SHOWN)
