"""A match between two people at one terminal."""

from collections.abc import Callable
from typing import Any

from games.catalogue.kit import Kit
from games.catalogue.narration import tell
from games.rules import PASS, IllegalMove, Move


def parse(entry: str) -> Move:
    """Turn a player's input into a move. The rules refuse anything that isn't a move."""
    entry = entry.strip()
    if entry.casefold() == PASS:
        return PASS
    if entry.isascii() and entry.removeprefix("-").isdigit() and len(entry) < 20:
        return int(entry)
    return entry


def play_match(
    kit: Kit, state: Any, ask: Callable[[str], str], say: Callable[[str], object]
) -> None:
    """Play a whole match. `ask` shows a prompt and returns the answer; `say` shows a line."""
    say(f"=== {kit.name} ===")
    while kit.game.outcome(state) is None:
        say("")
        for line in kit.show(state):
            say(line)
        choices = ", ".join(map(str, kit.game.legal_moves(state)))
        say(f"Player {state.turn}'s turn. You may play: {choices}")
        state = take_turn(kit, state, ask, say)


def take_turn(kit: Kit, state: Any, ask: Callable[[str], str], say: Callable[[str], object]) -> Any:
    """Ask until the player enters a legal move, then play it and show its events."""
    while True:
        try:
            step = kit.game.play(state, state.turn, parse(ask(kit.prompt)))
        except IllegalMove as refusal:
            say(refusal.text)
            continue
        for sentence in tell(kit, step.events):
            say(sentence)
        return step.state
