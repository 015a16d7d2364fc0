"""Worked examples. They are played through the rules, so they can't be wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from games.catalogue.kit import Kit
from games.catalogue.narration import tell
from games.rules import Event, IllegalMove, Move, Seat


@dataclass(frozen=True)
class Entry:
    """One entry of an example and its result. `state` is the state after the entry."""

    seat: Seat
    move: Move
    refused: str | None
    sentences: tuple[str, ...]
    state: Any
    events: tuple[Event, ...] = ()


def first_state(kit: Kit) -> Any:
    """Return the state in which a game's example begins."""
    grid = kit.example.grid
    return kit.setup_from(grid) if grid and kit.setup_from else kit.game.setup(Random(0))


def replay(kit: Kit) -> list[Entry]:
    """Play a game's example and return its entries."""
    state = first_state(kit)
    entries = []
    for move in kit.example.entries:
        seat = state.turn
        try:
            state, events = kit.game.play(state, seat, move)
        except IllegalMove as refusal:
            entries.append(Entry(seat, move, refusal.code, (refusal.text,), state))
        else:
            entries.append(Entry(seat, move, None, tell(kit, events), state, events))
    return entries


def lesson(kit: Kit, say: Callable[[Any], str] = str) -> dict[str, Any]:
    """Return a game's example as plain JSON, with everything the board's script needs to show it.

    `say` translates the sentences.
    """
    game = kit.game

    def position(state: Any) -> dict[str, Any]:
        return {
            "state": game.to_json(state),
            "legal": game.legal_moves(state),
            "why": {str(number): say(text) for number, text in game.why_not(state).items()},
            "over": game.outcome(state) is not None,
        }

    return {
        "game": kit.slug,
        "start": position(first_state(kit)),
        "steps": [
            {
                "seat": entry.seat,
                "move": entry.move,
                "refused": entry.refused is not None,
                "text": " ".join(map(say, entry.sentences)),
                "events": entry.events,
                **position(entry.state),
            }
            for entry in replay(kit)
        ],
    }
