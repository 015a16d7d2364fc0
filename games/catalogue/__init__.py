"""The catalogue: everything the rest of the site asks about a game, as one `Kit` per game.

`GAMES` in `games/rules/__init__.py` is the one list of games. For each slug in it, the module here
with the same name (underscores for hyphens) has the game's `KIT`.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from games.catalogue.kit import Kit
from games.rules import GAMES

__all__ = ["KITS", "Kit", "kit_of"]


def kit_of(slug: str) -> Kit:
    """Import the kit of a registered game."""
    name = f"{__name__}.{slug.replace('-', '_')}"
    try:
        kit = import_module(name).KIT
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise LookupError(
            f"{slug} is listed in GAMES but has no kit: add {name.replace('.', '/')}.py "
            "(docs/adding-a-game.md)."
        ) from error
    except AttributeError as error:
        raise LookupError(f"{name} has no KIT (docs/adding-a-game.md).") from error
    assert isinstance(kit, Kit)
    assert kit.slug == slug, f"{name} has the kit of {kit.slug}."
    return kit


KITS: Mapping[str, Kit] = MappingProxyType({slug: kit_of(slug) for slug in GAMES})
