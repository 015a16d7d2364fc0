"""Translates sentences: the translated template is filled with the same values."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from games.sentences import Sentence, Value

PLAYER = _("Player {seat}")


def say(sentence: Sentence) -> str:
    """Return the sentence in the language of the page."""
    if (get_language() or settings.LANGUAGE_CODE) == settings.LANGUAGE_CODE:
        return sentence
    values = {name: _said(name, value) for name, value in sentence.values.items()}
    # For an empty text, Django would return the catalogue's header.
    template = sentence.template and gettext(sentence.template)
    return template.format(**values)


def _said(name: str, value: Value) -> str:
    if name == "player":
        return gettext(PLAYER).format(seat=value)
    if isinstance(value, Sentence):
        return say(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_said("", one) for one in value)
    return str(value)
