"""Number Blossoms: two flowers whose petals share a factor with their centre."""

from collections.abc import Mapping
from math import gcd
from typing import Any

from games.catalogue.kit import CLASSIC, Example, Kit, Size
from games.catalogue.narration import PASSED, STUCK, WON, listed
from games.pictures.canvas import Box, Canvas, Point, curve, turned
from games.pictures.palette import FILLS, INK, PAPER, SEATS, Accent
from games.pictures.pool import draw_pool
from games.rules import PASS
from games.rules.blossoms import BLOSSOMS, BlossomsState
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

LARGER = Template(_("Larger: numbers to 15"))

POOL = Template(_("Number pool: {numbers}"))
BLOSSOM = Template(_("{player}'s blossom: centre {centre}, petals {petals}"))

CENTRE = Template(_("{player} chose {number} as the centre."))
PETAL = Template(_("{player} added petal {number}: it shares the factor {shared} with the centre."))
COMPLETED = Template(_("{player}'s blossom is complete."))


def show(state: BlossomsState) -> list[Sentence]:
    lines = [POOL(numbers=listed(BLOSSOMS.on_board(state)))]
    for seat, blossom in enumerate(state.blossoms, 1):
        if blossom.centre is not None:
            petals = listed(blossom.petals)
            lines.append(BLOSSOM(player=seat, centre=blossom.centre, petals=petals))
    return lines


# Player 1's petals are round, Player 2's are pointed.
ROUND = curve((15, 0), ((22, -26), (63, -26), (63, 0)), ((63, 26), (22, 26), (15, 0)))
POINTED = curve((13, 0), ((23, -19), (41, -19), (66, 0)), ((41, 19), (23, 19), (13, 0)))


def draw(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    draw_pool(canvas, (left, top + high - 92, wide, 92), state, accent)
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


KIT = Kit(
    game=BLOSSOMS,
    accent="pink",
    sizes=(CLASSIC, Size("larger", LARGER(), {"pool": 15})),
    example=Example((6, 5, 2, 1, 3, 5, PASS, 3, PASS, 9, PASS, 4)),
    show=show,
    prompt="Select a number for your blossom: ",
    narration={
        "centre": CENTRE,
        "petal": PETAL,
        "completed": COMPLETED,
        "passed": PASSED,
        "stuck": STUCK,
        "won": WON,
    },
    draw=draw,
)
