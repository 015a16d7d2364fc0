"""Number Collapse: numbers in a grid crush their smaller neighbours. First to the target wins."""

from collections.abc import Mapping
from typing import Any

from games.catalogue.kit import CLASSIC, Example, Kit, Size
from games.catalogue.narration import WON
from games.pictures.canvas import Box, Canvas
from games.pictures.palette import HOLE, INK, PAPER, SEATS, Accent
from games.rules.collapse import COLLAPSE, CollapseState
from games.sentences import PLAIN, Sentence, Template
from games.sentences import gettext_noop as _

LARGER = Template(_("Larger: 4×4, to 45"))

TOTALS = Template(_("Player 1: {one}   Player 2: {two}   Target: {target}"))

TAKEN = Template(_("{player} took {number} at position {position}."))
SCORED = Template(_("{player} scored {points} and now has {total}."))
COLLAPSED = Template(_("{number} at position {position} fell under {under}."))
REACHED = Template(_("{player} has reached the target of {target}."))
LAST_REPLY = Template(_("{player} has one last turn to beat {total}."))
EMPTIED = Template(_("The grid is empty."))


def show(state: CollapseState) -> list[Sentence]:
    width = len(str(state.size**2))
    cells = [f"[{number or '':>{width}}]" for number in state.cells]
    rows = ["".join(cells[row : row + state.size]) for row in range(0, len(cells), state.size)]
    one, two = state.scores
    return [*(PLAIN(text=row) for row in rows), TOTALS(one=one, two=two, target=state.target)]


def draw(canvas: Canvas, box: Box, state: Mapping[str, Any], accent: Accent) -> None:
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


KIT = Kit(
    game=COLLAPSE,
    accent="violet",
    sizes=(CLASSIC, Size("larger", LARGER(), {"size": 4})),
    example=Example((3, 7, 9, 5, 1), grid=(1, 5, 9, 6, 2, 8, 7, 3, 4)),
    show=show,
    prompt="Select a number by its position: ",
    narration={
        "taken": TAKEN,
        "scored": SCORED,
        "collapsed": COLLAPSED,
        "reached": REACHED,
        "last_reply": LAST_REPLY,
        "emptied": EMPTIED,
        "won": WON,
    },
    draw=draw,
)
