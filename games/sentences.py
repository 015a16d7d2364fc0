"""Sentences: a template and its values, readable as English and translatable without guessing.

    SHARED = Template(_("{number} and {last} share the factor {factor}."))
    SHARED(number=9, last=6, factor=3)  # "9 and 6 share the factor 3."

A `Sentence` is a `str`, its English, that also carries its template and values. From those,
`games.words` and the browser say the same thing in the reader's language. Templates are module
constants, so that `make messages` and the tests find every one of them.

A value is a number, a text, another sentence, or a list of these. A sentence about a player has the
seat as `player`; `you` is its twin for the reader who sits there:

    RESIGNED = Template(_("{player} resigned."), you=_("You resigned."))
    RESIGNED(player=1)  # "Player 1 resigned."
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, Union

Value: TypeAlias = Union[int, str, "Sentence", Sequence["Value"]]


def gettext_noop(text: str) -> str:
    """Mark a template for translation; import it as `_`."""
    return text


class Sentence(str):
    __slots__ = ("template", "values", "you")

    template: str
    values: Mapping[str, Value]
    you: str | None

    def __new__(
        cls, template: str, values: Mapping[str, Value], you: str | None = None
    ) -> "Sentence":
        english = values
        for name, value in values.items():
            # Most sentences are about numbers, and those are written as they are.
            if type(value) is not int or name == "player":
                english = {name: _english(name, value) for name, value in values.items()}
                break
        made = super().__new__(cls, template.format(**english))
        made.template, made.values, made.you = template, values, you
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.template, self.values, self.you)


class Template:
    """What a sentence says before its values are filled in."""

    __slots__ = ("text", "you")

    def __init__(self, text: str, you: str | None = None) -> None:
        self.text, self.you = text, you

    def __call__(self, **values: Value) -> Sentence:
        return Sentence(self.text, values, self.you)


def _english(name: str, value: Value) -> str:
    if name == "player":
        return f"Player {value}"
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ", ".join(_english("", one) for one in value)
    return str(value)


def to_json(sentence: Sentence) -> dict[str, Any]:
    """What goes beside a text on the wire: `template`, `values`, and `you` where there is one."""
    values = {name: _value_to_json(value) for name, value in sentence.values.items()}
    made: dict[str, Any] = {"template": sentence.template, "values": values}
    if sentence.you is not None:
        made["you"] = sentence.you
    return made


def _value_to_json(value: Value) -> Any:
    if isinstance(value, Sentence):
        return to_json(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_value_to_json(one) for one in value]
    return value


# For texts that only programs see, such as what a parser objects to. They stay English.
PLAIN = Template("{text}")
# Several sentences in a row.
TOGETHER = Template("{first} {second}")
