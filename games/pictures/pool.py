"""Draws the parts of a board that several games share."""

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from typing import Any

from games.pictures.canvas import Box, Canvas
from games.pictures.palette import HOLE, Accent

# Longer towers and chains show only their newest numbers.
MOST = 9


def draw_pool(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    """Draw the numbers from 1 to `pool` that are still `remaining`, each in its place."""
    left, top, wide, high = box
    columns = 9 if state["pool"] <= 9 else ceil(sqrt(state["pool"] * wide / high))
    rows = ceil(state["pool"] / columns)
    canvas.rectangle(box, HOLE, 22)
    step = min((wide - 20) / columns, (high - 16) / rows)
    start = left + (wide - step * columns) / 2, top + (high - step * rows) / 2
    for index in range(state["pool"]):
        x = start[0] + step * (index % columns) + step * 0.07
        y = start[1] + step * (index // columns) + step * 0.03
        if index + 1 in state["remaining"]:
            tile = (x, y, step * 0.86, step * 0.82)
            canvas.tile(tile, index + 1, accent)


def newest(played: Sequence[int]) -> list[tuple[int, int]]:
    """Return the newest numbers that fit on a picture, each with its index in the match."""
    return list(enumerate(played))[-MOST:]
