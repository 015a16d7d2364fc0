"""Number Collapse: take numbers from a grid, each crushing its smaller neighbours; reach 15.

The numbers 1 to 9 are shuffled into a 3×3 grid, with positions 1 to 9 counted row by row. On each
turn a player selects any remaining number by its position and scores its value. The number leaves
the grid, and so does every smaller neighbour above, below, left or right of it. Neighbours score
nothing and remove nothing further.

- Player 2 reaching 15 ends the match at once; the higher total wins.
- Player 1 reaching 15 ends it too, unless one remaining number would take Player 2 to 15 or more
  and above Player 1's total. Then Player 2 has one last reply, with any remaining number. If both
  have 15 or more after it, the higher total wins, and equal totals go to Player 1, who was first.
- If the grid is empty and nobody has 15, the higher total wins, and equal totals go to the player
  who reached that total first. There is no draw.

Options: `size`, the side of the grid; `target`, by default a third of the sum of all numbers.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from games.rules.contract import (
    Event,
    Game,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    Step,
    other,
    winning_events,
)
from games.rules.options import BadOption, Option, complete, show
from games.sentences import Template
from games.sentences import gettext_noop as _

GONE = Template(_("Position {position} is empty: its number is gone."))
OUTSIDE_THE_GRID = Template(
    _("The positions go from 1 to {highest}, and {entry} isn't one of them.")
)
TARGET_FIRST = Template(
    _("Both have {total}, and {player} reached {target} first."),
    you=_("Both have {total}, and you reached {target} first."),
)
BOTH_REACHED = Template(_("Both have reached {target}, and {higher} beats {lower}."))
TARGET_REACHED = Template(_("The target of {target} is reached, {higher} to {lower}."))
TOTAL_FIRST = Template(
    _("The grid is empty, both have {total}, and {player} had it first."),
    you=_("The grid is empty, both have {total}, and you had it first."),
)
GRID_EMPTY = Template(_("The grid is empty, and {higher} beats {lower}."))

EMPTY = 0
SIZES = range(3, 6)


def options_for(size: int) -> dict[str, Option]:
    """Return the options, with their limits and defaults for a grid of this size."""
    total = size**2 * (size**2 + 1) // 2
    return {"size": Option(size, SIZES), "target": Option(total // 3, range(1, total + 1))}


class CollapseState(NamedTuple):
    """The grid row by row, with 0 for empty cells, and both totals, Player 1's first."""

    size: int
    target: int
    cells: tuple[int, ...]
    scores: tuple[int, int]
    turn: Seat


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for every cell, counted from 0, the cells above, left, right and below it."""
    return tuple(
        tuple(
            near_row * size + near_column
            for near_row, near_column in (
                (row - 1, column),
                (row, column - 1),
                (row, column + 1),
                (row + 1, column),
            )
            if 0 <= near_row < size and 0 <= near_column < size
        )
        for row in range(size)
        for column in range(size)
    )


def can_overtake(state: CollapseState) -> bool:
    """Return whether one remaining number takes Player 2 to the target and above Player 1."""
    one, two = state.scores
    return two + max(state.cells) >= state.target and two + max(state.cells) > one


class Collapse(Game[CollapseState]):
    slug = "number-collapse"
    name = "Number Collapse"
    options = options_for(SIZES[0])

    def setup(self, rng: Random, /, **options: Any) -> CollapseState:
        size = options.get("size", SIZES[0])
        self.options["size"].check("size", size)
        chosen = complete(options_for(size), options)
        grid = list(range(1, size**2 + 1))
        rng.shuffle(grid)
        return self.setup_from(grid, target=chosen["target"])

    def setup_from(self, grid: Sequence[int], /, **options: Any) -> CollapseState:
        """Return the first state on a given grid, with its numbers row by row."""
        size = next((size for size in SIZES if size**2 == len(grid)), None)
        if size is None:
            raise BadOption(f"A grid has 9, 16 or 25 numbers, not {len(grid)}.")
        if any(type(number) is not int for number in grid) or sorted(grid) != list(
            range(1, size**2 + 1)
        ):
            raise BadOption(
                f"A grid of {size}×{size} has every number from 1 to {size**2} exactly once."
            )
        chosen = complete({"target": options_for(size)["target"]}, options)
        return CollapseState(size, chosen["target"], tuple(grid), (0, 0), 1)

    def legal_moves(self, state: CollapseState) -> tuple[Move, ...]:
        return () if self.outcome(state) else self.on_board(state)

    def on_board(self, state: CollapseState) -> tuple[int, ...]:
        return tuple(position for position, number in enumerate(state.cells, 1) if number)

    def outcome(self, state: CollapseState) -> Outcome | None:
        one, two = state.scores
        target = state.target
        if one >= target and two >= target:
            if one == two:
                text = TARGET_FIRST(total=one, player=1, target=target)
                return Outcome(1, "target_first", text)
            text = BOTH_REACHED(target=target, higher=max(one, two), lower=min(one, two))
            return Outcome(1 if one > two else 2, "higher_total", text)
        if two >= target:
            return Outcome(2, "target", TARGET_REACHED(target=target, higher=two, lower=one))
        if one >= target:
            if state.turn == 2 and can_overtake(state):
                return None
            return Outcome(1, "target", TARGET_REACHED(target=target, higher=one, lower=two))
        if any(state.cells):
            return None
        if one == two:
            # Every selection scores, so the player who moved last reached that total last.
            text = TOTAL_FIRST(total=one, player=state.turn)
            return Outcome(state.turn, "total_first", text)
        text = GRID_EMPTY(higher=max(one, two), lower=min(one, two))
        return Outcome(1 if one > two else 2, "higher_total", text)

    def advance(self, state: CollapseState, move: Move) -> Step[CollapseState]:
        assert isinstance(move, int)
        seat = state.turn
        number = state.cells[move - 1]
        fallen = [
            near for near in neighbours(state.size)[move - 1] if EMPTY < state.cells[near] < number
        ]
        cells = list(state.cells)
        cells[move - 1] = EMPTY
        for near in fallen:
            cells[near] = EMPTY
        one, two = state.scores
        scores = (one + number, two) if seat == 1 else (one, two + number)
        after = CollapseState(state.size, state.target, tuple(cells), scores, other(seat))
        outcome = self.outcome(after)

        total = scores[seat - 1]
        events: list[Event] = [
            {"type": "taken", "seat": seat, "number": number, "position": move},
            {"type": "scored", "seat": seat, "points": number, "total": total},
        ]
        events += [
            {
                "type": "collapsed",
                "seat": seat,
                "number": state.cells[near],
                "position": near + 1,
                "under": number,
            }
            for near in fallen
        ]
        if total >= state.target:
            events.append({"type": "reached", "seat": seat, "total": total, "target": state.target})
            if outcome is None:
                events.append(
                    {"type": "last_reply", "seat": 2, "target": state.target, "total": total}
                )
        if not any(cells):
            events.append({"type": "emptied"})
        return Step(after, (*events, *winning_events(outcome)))

    def objection(self, state: CollapseState, move: int) -> IllegalMove:
        if 1 <= move <= state.size**2:
            text = GONE(position=move)
        else:
            text = OUTSIDE_THE_GRID(highest=state.size**2, entry=show(move))
        return IllegalMove("not_available", text)

    def spoken(self, state: CollapseState, move: Move) -> Move:
        """Return the number at the position that was played, which is what people call the move."""
        assert isinstance(move, int)
        return state.cells[move - 1]

    def to_json(self, state: CollapseState) -> dict[str, Any]:
        return {
            "size": state.size,
            "target": state.target,
            "cells": list(state.cells),
            "scores": list(state.scores),
            "turn": state.turn,
        }

    def from_json(self, data: Mapping[str, Any]) -> CollapseState:
        one, two = data["scores"]
        return CollapseState(
            data["size"], data["target"], tuple(data["cells"]), (one, two), data["turn"]
        )


COLLAPSE = Collapse()
