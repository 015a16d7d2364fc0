"""The rules of all games, as pure Python: no Django, no I/O.

`GAMES` is the one list of games; `docs/adding-a-game.md` explains how to add one.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from games.rules.blossoms import BLOSSOMS
from games.rules.collapse import COLLAPSE
from games.rules.contract import (
    PASS,
    Event,
    Game,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    Step,
    other,
)
from games.rules.last_number import CHAIN_FACTOR, ELIMINATOR, TOWER_DUEL
from games.rules.options import BadOption, Option

GAMES: Mapping[str, Game[Any]] = MappingProxyType(
    {
        game.slug: game
        for game in (
            BLOSSOMS,
            TOWER_DUEL,
            CHAIN_FACTOR,
            COLLAPSE,
            ELIMINATOR,
        )
    }
)

__all__ = [
    "GAMES",
    "PASS",
    "BadOption",
    "Event",
    "Game",
    "IllegalMove",
    "Move",
    "Option",
    "Outcome",
    "Seat",
    "Step",
    "other",
]
