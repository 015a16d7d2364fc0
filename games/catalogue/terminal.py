"""Two people at one terminal: how each game looks there, and the course of a match."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.rules import GAMES, PASS, Game, IllegalMove, Move
from games.rules.blossoms import BlossomsState
from games.rules.collapse import CollapseState
from games.rules.last_number import LastNumberState
from games.words.narration import tell_all


def listed(numbers: Iterable[Move]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def show_last_number(game: Game[Any], state: LastNumberState) -> list[str]:
    lines = [f"Available numbers: {listed(game.on_board(state))}"]
    if game.slug == "number-tower-duel":
        height = f" (height {len(state.played)})" if state.played else ""
        lines.append(f"Tower: {listed(state.played) if state.played else 'empty'}{height}")
    elif state.played:
        lines.append(f"Last number: {state.played[-1]}")
    barred = game.why_not(state)
    if game.slug == "chain-factor" and state.played:
        lines.append(f"Barred, for a factor shared with {state.played[-1]}: {listed(barred)}")
    return lines


def show_blossoms(game: Game[Any], state: BlossomsState) -> list[str]:
    lines = [f"Number pool: {listed(game.on_board(state))}"]
    for seat, blossom in enumerate(state.blossoms, 1):
        if blossom.centre is not None:
            petals = f"petals {listed(blossom.petals)}"
            lines.append(f"Player {seat}'s blossom: centre {blossom.centre}, {petals}")
    return lines


def show_collapse(game: Game[Any], state: CollapseState) -> list[str]:
    width = len(str(state.size**2))
    cells = [f"[{number or '':>{width}}]" for number in state.cells]
    rows = ["".join(cells[row : row + state.size]) for row in range(0, len(cells), state.size)]
    one, two = state.scores
    return [*rows, f"Player 1: {one}   Player 2: {two}   Target: {state.target}"]


SHOWS: Mapping[str, Callable[[Game[Any], Any], list[str]]] = {
    "number-blossoms": show_blossoms,
    "number-tower-duel": show_last_number,
    "chain-factor": show_last_number,
    "number-collapse": show_collapse,
    "number-eliminator": show_last_number,
}

PROMPTS: Mapping[str, str] = {
    "number-blossoms": "Select a number for your blossom: ",
    "number-tower-duel": "Select a block to place: ",
    "chain-factor": "Enter a number to remove: ",
    "number-collapse": "Select a number by its position: ",
    "number-eliminator": "Select a number to cross off: ",
}


def show(slug: str, state: Any) -> str:
    """What is on the board, in lines of text."""
    return "\n".join(SHOWS[slug](GAMES[slug], state))


def parse(entry: str) -> Move:
    """What a player typed, as a move; what is none stays as it is, for the rules to refuse."""
    entry = entry.strip()
    if entry.casefold() == PASS:
        return PASS
    if entry.isascii() and entry.removeprefix("-").isdigit() and len(entry) < 20:
        return int(entry)
    return entry


def play_match(
    slug: str, state: Any, ask: Callable[[str], str], say: Callable[[str], object]
) -> None:
    """A whole match; `ask` shows a prompt and gives the answer, `say` shows a line."""
    game = GAMES[slug]
    say(f"=== {game.name} ===")
    while game.outcome(state) is None:
        say("")
        say(show(slug, state))
        say(f"Player {state.turn}'s turn. You may play: {listed(game.legal_moves(state))}")
        state = take_turn(slug, state, ask, say)


def take_turn(
    slug: str, state: Any, ask: Callable[[str], str], say: Callable[[str], object]
) -> Any:
    """Ask until the entry is a legal move, and tell what it did."""
    game = GAMES[slug]
    while True:
        try:
            step = game.play(state, state.turn, parse(ask(PROMPTS[slug])))
        except IllegalMove as refusal:
            say(refusal.text)
            continue
        for sentence in tell_all(step.events):
            say(sentence)
        return step.state
