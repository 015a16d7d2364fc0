"""What the tests need to know about each game: one package per game, found by its slug.

A package has `OPTIONS`, `random_options` and `referee`, and the golden files of the game's example:
`playthrough.json` (the rules) and `transcript.txt` (the terminal). `playouts.json`, where there is
one, counts all matches of a game; those numbers come from elsewhere.
"""

from importlib import import_module
from pathlib import Path
from typing import Any


def folder_of(slug: str) -> Path:
    return Path(__file__).parent / slug.replace("-", "_")


def facts_of(slug: str) -> Any:
    """The package of a game."""
    return import_module(f"{__name__}.{folder_of(slug).name}")
