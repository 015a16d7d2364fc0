"""Number Tower Duel: a tower of blocks, each a divisor or a multiple of the one below."""

from collections.abc import Mapping
from typing import Any

from games.catalogue.kit import Example, Kit
from games.catalogue.last_number import SIZES, available
from games.catalogue.narration import STUCK, WON
from games.pictures.canvas import Box, Canvas
from games.pictures.palette import FILLS, INK, SEATS, Accent
from games.pictures.pool import draw_pool, newest
from games.rules.last_number import TOWER_DUEL, LastNumberState
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

EMPTY = Template(_("Tower: empty"))
TOWER = Template(_("Tower: {numbers} (height {height})"))
BASE = Template(_("{player} placed {number} as the base of the tower."))
PLACED = Template(_("{player} placed {number} on {after}. The tower is {count} blocks high."))


def show(state: LastNumberState) -> list[Sentence]:
    played = list(state.played)
    tower = TOWER(numbers=played, height=len(played)) if played else EMPTY()
    return [available(TOWER_DUEL, state), tower]


def placed(after: int | None, **values: int) -> Sentence:
    return BASE(**values) if after is None else PLACED(after=after, **values)


def draw(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
    left, top, wide, high = box
    draw_pool(canvas, (left, top + high - 92, wide, 92), state, accent)
    ground = top + high - 124
    canvas.rectangle((left, ground, wide, 10), accent.word, 5)
    played = state["played"]
    shown = newest(played)
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
            # The font has no "×".
            joint = f"{larger} = {larger // smaller} x {smaller}"
            at = (left + wide * 0.74, y + height)
            canvas.text(at, joint, min(27, height * 0.6), INK, "lm", bold=False)


KIT = Kit(
    game=TOWER_DUEL,
    accent="gold",
    sizes=SIZES,
    example=Example((6, 3, 9, 1, 5)),
    show=show,
    prompt="Select a block to place: ",
    narration={"placed": placed, "stuck": STUCK, "won": WON},
    draw=draw,
)
