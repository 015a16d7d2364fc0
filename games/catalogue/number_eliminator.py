"""Number Eliminator: players take turns to cross divisors and multiples off a list."""

from collections.abc import Mapping
from math import ceil, sqrt
from typing import Any

from games.catalogue.kit import Example, Kit
from games.catalogue.last_number import SIZES, available, last_number
from games.catalogue.narration import STUCK, WON
from games.pictures.canvas import Box, Canvas, Point, curve
from games.pictures.palette import CARE, INK, LINE, PAPER, SEATS, SOFT, Accent
from games.rules.last_number import ELIMINATOR, LastNumberState
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

CROSSED_OFF = Template(_("{player} crossed off {number}."))


def show(state: LastNumberState) -> list[Sentence]:
    return [available(ELIMINATOR, state), *last_number(state)]


def draw(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    canvas.rectangle(box, PAPER, 10)
    for line in range(1, 9):
        y = top + high * line / 9
        canvas.stroke([(left, y), (left + wide, y)], LINE, 2)
    canvas.stroke([(left + 66, top), (left + 66, top + high)], CARE, 2)
    columns = 3 if state["pool"] <= 9 else ceil(sqrt(state["pool"] * 1.25))
    rows = ceil(state["pool"] / columns)
    across, down = (wide - 90) / columns, high / rows
    size = min(across, down)
    for index in range(state["pool"]):
        number = index + 1
        x = left + 80 + across * (index % columns + 0.5)
        y = top + down * (index // columns + 0.5)
        played = number in state["played"]
        canvas.text((x, y), number, size * 0.44, SOFT if played else INK)
        if played:
            cross_off(canvas, (x, y), size * 0.36, state["played"].index(number) % 2)


def cross_off(canvas: Canvas, at: Point, reach: float, seat: int) -> None:
    """Draw one stroke through Player 1's numbers, and a cross over Player 2's."""
    x, y = at
    width = max(3, round(reach / 7))
    if seat == 0:
        handles = (x - reach / 3, y - reach / 2), (x + reach / 3, y + reach / 2)
        wave = curve((x - reach, y + reach / 6), (*handles, (x + reach, y - reach / 6)))
        canvas.stroke(wave, SEATS[0], width)
    else:
        near = reach * 0.7
        canvas.stroke([(x - near, y - near), (x + near, y + near)], SEATS[1], width)
        canvas.stroke([(x - near, y + near), (x + near, y - near)], SEATS[1], width)


KIT = Kit(
    game=ELIMINATOR,
    accent="green",
    sizes=SIZES,
    example=Example((6, 3, 9, 1, 4, 2, 8)),
    show=show,
    prompt="Select a number to cross off: ",
    narration={"crossed_off": CROSSED_OFF, "stuck": STUCK, "won": WON},
    draw=draw,
)
