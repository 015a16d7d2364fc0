"""`{{ sentence|said }}`: a sentence in the language of the page."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext

from games.words.translation import say

register = template.Library()

register.filter("said", say)


@register.filter
def called(player: Mapping[str, Any] | None) -> str:
    """Return a player's name. The computer's is translated."""
    if player is None:
        return ""
    return gettext(player["name"]) if "level" in player else str(player["name"])
