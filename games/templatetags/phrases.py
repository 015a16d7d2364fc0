"""`{{ sentence|translated }}`: what was made in English, in the language of the page."""

from collections.abc import Mapping

from django import template

from games.words.phrases import translated

register = template.Library()

register.filter("translated", translated)


@register.filter
def called(player: Mapping[str, str] | None) -> str:
    """A player's name: people choose theirs, the computer's is made of words."""
    if player is None:
        return ""
    return translated(player["name"]) if "level" in player else player["name"]
