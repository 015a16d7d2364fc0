"""Golden files: each game's worked example, played by the rules and in the terminal.

In `tests/games/<game>/`, `playthrough.json` has the entries, refusals, events and states, and
`transcript.txt` has the terminal output. Run `python -m tests.golden` to rewrite them.
"""

import json
from typing import Any

from games.catalogue import Kit
from games.catalogue.examples import first_state
from games.catalogue.terminal import play_match
from games.rules import IllegalMove


def playthrough(kit: Kit) -> dict[str, Any]:
    """Play a game's example and return everything the rules report at each turn."""
    game, state = kit.game, first_state(kit)
    turns: list[dict[str, Any]] = []
    first = game.to_json(state)
    for move in kit.example.entries:
        turn: dict[str, Any] = {"seat": state.turn, "move": move}
        turn["legal"] = list(game.legal_moves(state))
        try:
            state, events = game.play(state, state.turn, move)
        except IllegalMove as refusal:
            turns.append({**turn, "refused": refusal.code, "text": refusal.text})
        else:
            turns.append({**turn, "events": list(events), "state": game.to_json(state)})
    outcome = game.outcome(state)
    return {"first": first, "turns": turns, "outcome": outcome and outcome._asdict()}


def transcript(kit: Kit) -> str:
    """Play the same example in the terminal; return its output and what the players type."""
    lines: list[str] = []
    entries = iter(kit.example.entries)

    def ask(prompt: str) -> str:
        entry = str(next(entries, ""))
        assert entry, f"The example of {kit.slug} ends before its match does."
        lines.append(prompt + entry)
        return entry

    play_match(kit, first_state(kit), ask, lines.append)
    return "\n".join(lines) + "\n"


def as_text(data: dict[str, Any]) -> str:
    """Format as JSON with one line per turn, so that diffs are easy to read."""
    turns = ",\n".join("  " + json.dumps(turn) for turn in data["turns"])
    first, outcome = json.dumps(data["first"]), json.dumps(data["outcome"])
    return f'{{\n "first": {first},\n "turns": [\n{turns}\n ],\n "outcome": {outcome}\n}}\n'
