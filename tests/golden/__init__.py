"""Golden files: every game's worked example as the rules and as the terminal play it.

In `tests/games/<game>/`, `playthrough.json` has entries, refusals, events and states, and
`transcript.txt` what the terminal shows. `python -m tests.golden` rewrites them.
"""

import json
from typing import Any

from games.catalogue import Kit
from games.catalogue.examples import first_state
from games.catalogue.terminal import play_match
from games.rules import IllegalMove


def playthrough(kit: Kit) -> dict[str, Any]:
    """A game's example, with all that the rules say at every turn."""
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
    """The same at the terminal, with what the players type."""
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
    """JSON with one line a turn, so that a difference is easy to read."""
    turns = ",\n".join("  " + json.dumps(turn) for turn in data["turns"])
    first, outcome = json.dumps(data["first"]), json.dumps(data["outcome"])
    return f'{{\n "first": {first},\n "turns": [\n{turns}\n ],\n "outcome": {outcome}\n}}\n'
