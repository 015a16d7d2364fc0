"""What the tests need to know about each game, in one package per game, named after its slug.

A package contains

    OPTIONS              a Hypothesis strategy for the options of a match
    random_options(rng)  random options from a `Random`, including larger boards
    referee(setup, moves)  who has won, or None; it shares no code with the rules
    MOVING               the CSS class of the element that a move animates in the browser

and the golden files of the game's example: `playthrough.json` (the rules) and `transcript.txt` (the
terminal). If there is a `playouts.json`, it counts all possible matches of the game. Those numbers
were not computed with this code.
"""

from importlib import import_module
from pathlib import Path
from typing import Any


def folder_of(slug: str) -> Path:
    return Path(__file__).parent / slug.replace("-", "_")


def facts_of(slug: str) -> Any:
    """Import the package of a game."""
    return import_module(f"{__name__}.{folder_of(slug).name}")
