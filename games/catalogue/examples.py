"""One worked example of every game, played through the rules, so that no page shows a wrong one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from games.rules import GAMES, PASS, Event, IllegalMove, Move, Seat
from games.words.narration import tell_all


@dataclass(frozen=True)
class Example:
    """What the players of an example enter, refused entries included."""

    entries: tuple[Move, ...]
    grid: tuple[int, ...] = ()


EXAMPLES: Mapping[str, Example] = {
    "number-blossoms": Example((6, 5, 2, 1, 3, 5, PASS, 3, PASS, 9, PASS, 4)),
    "number-tower-duel": Example((6, 3, 9, 1, 5)),
    "chain-factor": Example((7, 6, 5, 9, 8, 3, 4, 1, 2)),
    "number-collapse": Example((3, 7, 9, 5, 1), grid=(1, 5, 9, 6, 2, 8, 7, 3, 4)),
    "number-eliminator": Example((6, 3, 9, 1, 4, 2, 8)),
}


@dataclass(frozen=True)
class Entry:
    """One entry of an example and what came of it; `state` is the state after it."""

    seat: Seat
    move: Move
    refused: str | None
    sentences: tuple[str, ...]
    state: Any
    events: tuple[Event, ...] = ()


def first_state(slug: str) -> Any:
    """The state in which a game's example begins."""
    game: Any = GAMES[slug]
    grid = EXAMPLES[slug].grid
    return game.setup_from(grid) if grid else game.setup(Random(0))


def replay(slug: str) -> list[Entry]:
    """A game's example, entry by entry."""
    game, state = GAMES[slug], first_state(slug)
    entries = []
    for move in EXAMPLES[slug].entries:
        seat = state.turn
        try:
            state, events = game.play(state, seat, move)
        except IllegalMove as refusal:
            entries.append(Entry(seat, move, refusal.code, (refusal.text,), state))
        else:
            entries.append(Entry(seat, move, None, tuple(tell_all(events)), state, events))
    return entries


def lesson(slug: str, say: Callable[[str], str] = str) -> dict[str, Any]:
    """A game's example as plain JSON, with all that a board in the browser needs to show it.

    `say` puts its sentences into the reader's language.
    """
    game = GAMES[slug]

    def position(state: Any) -> dict[str, Any]:
        return {
            "state": game.to_json(state),
            "legal": game.legal_moves(state),
            "why": {str(number): say(text) for number, text in game.why_not(state).items()},
            "over": game.outcome(state) is not None,
        }

    return {
        "game": slug,
        "start": position(first_state(slug)),
        "steps": [
            {
                "seat": entry.seat,
                "move": entry.move,
                "refused": entry.refused is not None,
                "text": say(" ".join(entry.sentences)),
                "events": entry.events,
                **position(entry.state),
            }
            for entry in replay(slug)
        ],
    }
