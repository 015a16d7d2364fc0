"""Draws shapes and numbers at twice the size and scales them down, so that edges are smooth."""

import io
from collections.abc import Iterable, Sequence
from functools import cache
from math import cos, radians, sin

from PIL import Image, ImageDraw, ImageFont

from games.pictures.palette import Accent

SCALE = 2

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@cache
def letters(size: float) -> ImageFont.FreeTypeFont:
    """Return Pillow's own font, so that pictures are the same on every machine."""
    font = ImageFont.load_default(size * SCALE)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


class Canvas:
    """Takes all sizes in pixels of the finished picture. A box is left, top, width, height."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        self.image = Image.new("RGB", (width * SCALE, height * SCALE), ground)
        self.draw = ImageDraw.Draw(self.image)

    def rectangle(
        self, box: Box, fill: str | None, radius: float = 0, line: str | None = None, width: int = 4
    ) -> None:
        left, top, wide, high = (value * SCALE for value in box)
        corners = (left, top, left + wide, top + high)
        self.draw.rounded_rectangle(corners, radius * SCALE, fill, line, width * SCALE)

    def circle(
        self,
        centre: Point,
        radius: float,
        fill: str | None,
        line: str | None = None,
        width: int = 4,
    ) -> None:
        x, y = centre
        box = (x - radius, y - radius, 2 * radius, 2 * radius)
        self.rectangle(box, fill, radius, line, width)

    def polygon(self, points: Iterable[Point], fill: str | None, line: str, width: int = 4) -> None:
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        if fill:
            self.draw.polygon(scaled, fill)
        self.draw.line([*scaled, scaled[0], scaled[1]], line, width * SCALE, joint="curve")

    def stroke(self, points: Iterable[Point], line: str, width: int = 6) -> None:
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.draw.line(scaled, line, width * SCALE, joint="curve")
        for x, y in (scaled[0], scaled[-1]):
            half = width * SCALE / 2
            self.draw.ellipse((x - half, y - half, x + half, y + half), line)

    def text(
        self,
        at: Point,
        text: object,
        size: float,
        colour: str,
        anchor: str = "mm",
        bold: bool = True,
    ) -> None:
        x, y = at
        weight = max(1, round(size * SCALE / 36)) if bold else 0
        self.draw.text(
            (x * SCALE, y * SCALE),
            str(text),
            colour,
            letters(size),
            anchor,
            stroke_width=weight,
            stroke_fill=colour,
        )

    def tile(self, box: Box, text: object, accent: Accent) -> None:
        """Draw a raised tile with a number on it."""
        left, top, wide, high = box
        radius = high / 4
        self.rectangle((left, top + high * 0.1, wide, high), accent.side, radius)
        self.rectangle(box, accent.face, radius)
        self.text((left + wide / 2, top + high / 2), text, high * 0.55, accent.on_face)

    def png(self) -> bytes:
        file = io.BytesIO()
        # The pictures have few colours: a palette of 128 holds them all, including smooth edges.
        small = self.image.reduce(SCALE).quantize(128, Image.Quantize.FASTOCTREE)
        small.save(file, "PNG")
        return file.getvalue()


def curve(start: Point, *parts: Sequence[Point]) -> list[Point]:
    """Return points along cubic Bézier curves, each given by two control points and its end."""
    points = [start]
    for one, two, end in parts:
        first = points[-1]
        for step in range(1, 17):
            t = step / 16
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            pairs = list(zip(weights, (first, one, two, end), strict=True))
            points.append((sum(w * p[0] for w, p in pairs), sum(w * p[1] for w, p in pairs)))
    return points


def turned(points: Iterable[Point], angle: float, centre: Point, scale: float) -> list[Point]:
    """Return the points scaled, rotated by an angle in degrees and moved to a centre."""
    across, along = cos(radians(angle)), sin(radians(angle))
    return [
        (centre[0] + scale * (x * across - y * along), centre[1] + scale * (x * along + y * across))
        for x, y in points
    ]
