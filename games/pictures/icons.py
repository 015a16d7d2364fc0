"""Draws the site's icon as a PNG, for devices that can't show the SVG."""

from functools import lru_cache

from games.pictures.canvas import Box, Canvas
from games.pictures.palette import COLOURS, SITE

WHITE = COLOURS["on-accent"]


def draw_logo(canvas: Canvas, box: Box) -> None:
    """Draw a tile with an N."""
    left, top, side, _ = box
    canvas.rectangle((left, top + side * 0.1, side, side * 0.9), SITE.side, side * 0.24)
    canvas.rectangle((left, top, side, side * 0.9), SITE.face, side * 0.24)
    x, y, unit = left + side * 0.32, top + side * 0.24, side
    letter = [
        (x, y + unit * 0.42),
        (x, y),
        (x + unit * 0.36, y + unit * 0.42),
        (x + unit * 0.36, y),
    ]
    canvas.stroke(letter, WHITE, max(2, round(side * 0.11)))


@lru_cache(maxsize=8)
def icon_png(size: int, *, maskable: bool = False) -> bytes:
    """Return a square icon. A maskable one has a wide margin, because devices cut off its edges."""
    canvas = Canvas(size, size, COLOURS["ground"] if not maskable else SITE.tint)
    margin = size * (0.2 if maskable else 0.06)
    draw_logo(canvas, (margin, margin, size - 2 * margin, size - 2 * margin))
    return canvas.png()
