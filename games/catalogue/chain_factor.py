"""Chain Factor: a chain of numbers, none of which shares a factor with the one before."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from games.catalogue.kit import Example, Kit
from games.catalogue.last_number import SIZES, available, last_number
from games.catalogue.narration import STUCK, WON, listed
from games.pictures.canvas import Box, Canvas
from games.pictures.palette import FILLS, INK, SEATS, SOFT, Accent
from games.pictures.pool import draw_pool, newest
from games.rules.last_number import CHAIN_FACTOR, LastNumberState
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

BARRED = Template(_("Blocked because they share a factor with {last}: {numbers}"))
REMOVED = Template(_("{player} removed {number}."))


def show(state: LastNumberState) -> list[Sentence]:
    lines = [available(CHAIN_FACTOR, state), *last_number(state)]
    if state.played:
        barred = listed(CHAIN_FACTOR.why_not(state))
        lines.append(BARRED(last=state.played[-1], numbers=barred))
    return lines


def draw(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    draw_pool(canvas, (left, top + high - 92, wide, 92), state, accent)
    shown = newest(state["played"])
    columns, step, size = 5, wide / 5, 84
    rows = ceil(len(shown) / columns)
    start = top + (high - 92 - rows * 140) / 2
    for place, (index, number) in enumerate(shown):
        x = left + step * (place % columns) + (step - 96) / 2
        y = start + 140 * (place // columns) + 28
        if place % columns:
            canvas.rectangle((x - 40, y + size / 2 - 15, 54, 30), None, 15, SOFT, 7)
        link = (x, y, 96, size)
        seat = index % 2
        canvas.rectangle(link, FILLS[seat], 42 if seat == 0 else 14, SEATS[seat], 8)
        canvas.text((x + 48, y + size / 2), number, 40, INK)


KIT = Kit(
    game=CHAIN_FACTOR,
    accent="teal",
    sizes=SIZES,
    example=Example((7, 6, 5, 9, 8, 3, 4, 1, 2)),
    show=show,
    prompt="Enter a number to remove: ",
    narration={"removed": REMOVED, "stuck": STUCK, "won": WON},
    draw=draw,
)
