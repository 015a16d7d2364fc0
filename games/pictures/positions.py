"""A position of each game, drawn into a box as the boards on the pages draw it."""

from collections.abc import Callable, Mapping
from math import ceil, gcd, sqrt
from typing import Any

from games.pictures.canvas import Box, Canvas, Point, curve, turned
from games.pictures.palette import ACCENTS, COLOURS, Accent

INK, SOFT, PAPER, HOLE = (COLOURS[name] for name in ("ink", "soft", "paper", "hole"))
LINE, CARE = COLOURS["line"], COLOURS["care"]
SEATS = (COLOURS["seat-1"], COLOURS["seat-2"])
FILLS = (COLOURS["seat-1-soft"], COLOURS["seat-2-soft"])

# A tower or chain higher than this shows its newest part.
MOST = 9


def pool(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    """The numbers that are left, each in its place."""
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


def draw_tower(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    pool(canvas, (left, top + high - 92, wide, 92), state, accent)
    ground = top + high - 124
    canvas.rectangle((left, ground, wide, 10), accent.word, 5)
    played = state["played"]
    shown = list(enumerate(played))[-MOST:]
    height = min(66, (ground - top - 6) / max(1, len(shown)))
    middle = left + wide * 0.36
    for place, (index, number) in enumerate(shown):
        y = ground - (place + 1) * height
        breadth = wide * (0.22 + 0.44 * number / state["pool"])
        block = (middle - breadth / 2, y, breadth, height - 3)
        seat = index % 2
        canvas.rectangle(block, FILLS[seat], 10 if seat == 0 else 2, SEATS[seat])
        canvas.text((middle, y + height / 2 - 2), number, min(34, height * 0.66), INK)
        if place:
            below = played[index - 1]
            larger, smaller = max(number, below), min(number, below)
            # The typeface has no sign for "times".
            joint = f"{larger} = {larger // smaller} x {smaller}"
            at = (left + wide * 0.74, y + height)
            canvas.text(at, joint, min(27, height * 0.6), INK, "lm", bold=False)


def draw_chain(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    pool(canvas, (left, top + high - 92, wide, 92), state, accent)
    shown = list(enumerate(state["played"]))[-MOST:]
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


def draw_eliminator(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
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
    """Player 1 strikes, Player 2 crosses."""
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


ROUND = curve((15, 0), ((22, -26), (63, -26), (63, 0)), ((63, 26), (22, 26), (15, 0)))
POINTED = curve((13, 0), ((23, -19), (41, -19), (66, 0)), ((41, 19), (23, 19), (13, 0)))


def draw_blossoms(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    pool(canvas, (left, top + high - 92, wide, 92), state, accent)
    scale = min(wide / 2, high - 110) / 136
    for seat, blossom in enumerate(state["blossoms"]):
        middle = left + wide * (0.25 + 0.5 * seat), top + (high - 110) / 2
        flower(canvas, middle, scale, seat, blossom, state["petals"])


def flower(
    canvas: Canvas, middle: Point, scale: float, seat: int, blossom: Mapping[str, Any], places: int
) -> None:
    centre, petals = blossom["centre"], blossom["petals"]
    for place in range(places):
        angle = 360 * place / places - 90
        shape = ROUND if seat == 0 else POINTED
        grown = place < len(petals)
        outline = turned(shape, angle, middle, scale)
        canvas.polygon(outline, FILLS[seat] if grown else None, SEATS[seat], 4 if grown else 2)
        if grown:
            (at,) = turned([(46, 0)], angle, middle, scale)
            canvas.text(at, petals[place], 17 * scale, INK)
            (joint,) = turned([(26, 0)], angle, middle, scale)
            canvas.circle(joint, 7.5 * scale, PAPER, SEATS[seat], 2)
            canvas.text(joint, gcd(petals[place], centre), 9.5 * scale, INK)
    fill = SEATS[seat] if centre else PAPER
    if seat == 0:
        canvas.circle(middle, 19 * scale, fill, SEATS[seat])
    else:
        half = 17 * scale
        square = (middle[0] - half, middle[1] - half, 2 * half, 2 * half)
        canvas.rectangle(square, fill, 6 * scale, SEATS[seat])
    canvas.text(middle, centre or "?", 20 * scale, PAPER if centre else INK)


def draw_collapse(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    size, target = state["size"], state["target"]
    for seat, total in enumerate(state["scores"]):
        y = top + 34 * seat
        bar = (left + 40, y + 4, wide - 110, 20)
        canvas.rectangle(bar, PAPER, 10 if seat == 0 else 3, SEATS[seat], 3)
        if total:
            done = (bar[0], bar[1], bar[2] * min(1, total / target), bar[3])
            canvas.rectangle(done, SEATS[seat], 10 if seat == 0 else 3)
        mark = (left, y + 2, 24, 24)
        canvas.rectangle(mark, SEATS[seat], 12 if seat == 0 else 4)
        canvas.text((left + wide, y + 15), total, 28, INK, "rm")
    side = high - 84
    step = side / size
    start = left + (wide - side) / 2, top + 84
    canvas.rectangle((start[0] - 10, start[1] - 10, side + 20, side + 20), HOLE, 26)
    for index, number in enumerate(state["cells"]):
        x, y = start[0] + step * (index % size), start[1] + step * (index // size)
        if number:
            tile = (x + step * 0.08, y + step * 0.05, step * 0.84, step * 0.82)
            canvas.tile(tile, number, accent)


DRAWINGS: Mapping[str, Callable[[Canvas, Box, Mapping[str, Any], Accent], None]] = {
    "number-blossoms": draw_blossoms,
    "number-tower-duel": draw_tower,
    "chain-factor": draw_chain,
    "number-collapse": draw_collapse,
    "number-eliminator": draw_eliminator,
}


def draw_position(canvas: Canvas, box: Box, slug: str, state: Mapping[str, Any]) -> None:
    DRAWINGS[slug](canvas, box, state, ACCENTS[slug])
