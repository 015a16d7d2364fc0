"""Draws moves a second and latency against the number of matches at once, as an SVG."""

import math
from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

from bench.measurements import Moves, Results
from bench.systems import SYSTEMS

WIDTH, HEIGHT = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 60, 215, 40, 30
LINE_HEIGHT = 14

# One for each system, readable on white and on black.
COLOURS = {
    "boardgame.io": "#d9534f",
    "colyseus": "#e08a00",
    "raw-daphne": "#8a8f98",
    "raw-uvicorn": "#6b7078",
    "daphne-sqlite": "#3f88e0",
    "daphne-sqlite-no-frames": "#2b5f9e",
    "daphne-full": "#6aa7ee",
    "daphne-postgresql": "#7a6ff0",
    "daphne-two": "#a58bf2",
    "daphne-two-cores": "#c9b8f7",
    "uvicorn-sqlite": "#1f9d55",
    "uvicorn-sqlite-no-frames": "#146b3a",
    "uvicorn-full": "#5cb85c",
    "uvicorn-postgresql": "#0fa3a3",
    "uvicorn-two": "#52c0c0",
    "uvicorn-two-cores": "#8fd6d6",
}
STYLE = """
text { font: 11px system-ui, sans-serif; fill: #57606a }
.title { font-size: 13px; font-weight: 600 }
line { stroke: #8a8f98; stroke-opacity: .3 }
polyline { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #b7bec7 } }
"""

Figure = Callable[[Moves], float]


def draw(results: Results, at_once: Sequence[int], path: Path) -> None:
    figures: dict[str, Figure] = {
        "Moves a second, by matches at once": lambda one: one.rate,
        "How long a move takes (p99, ms), by matches at once": lambda one: one.latency(99),
    }
    panels = [
        f'<g transform="translate(0 {HEIGHT * row})">{panel(title, figure, results, at_once)}</g>'
        for row, (title, figure) in enumerate(figures.items())
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT * len(panels)}" '
        f'role="img" aria-label="{" and ".join(figures)}">'
        f"<style>{STYLE}</style>{''.join(panels)}</svg>\n"
    )


def panel(title: str, figure: Figure, results: Results, at_once: Sequence[int]) -> str:
    lines = {
        key: [figure(results.playing[key, n]) for n in at_once]
        for key in COLOURS
        if (key, at_once[0]) in results.playing
    }
    values = [value for line in lines.values() for value in line]
    x = logarithmic(at_once[0], at_once[-1], LEFT, WIDTH - RIGHT)
    y = logarithmic(min(values), max(values), HEIGHT - BOTTOM, TOP)
    parts = [text(LEFT, 20, title, 'class="title"')]
    for value in round_values(min(values), max(values)):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}"/>')
        parts.append(text(LEFT - 8, y(value) + 4, f"{value:,g}", 'text-anchor="end"'))
    for n in at_once:
        parts.append(text(x(n), HEIGHT - BOTTOM + 20, f"{n:,}", 'text-anchor="middle"'))
    for key, line in lines.items():
        points = " ".join(f"{x(n)},{y(value)}" for n, value in zip(at_once, line, strict=True))
        parts.append(f'<polyline points="{points}" stroke="{COLOURS[key]}"/>')
    for key, place in spread({key: y(line[-1]) for key, line in lines.items()}).items():
        style = f'style="fill: {COLOURS[key]}"'
        parts.append(text(WIDTH - RIGHT + 8, place + 4, SYSTEMS[key].name, style))
    return "".join(parts)


def logarithmic(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = math.log(high / low) or 1.0
    return lambda value: round(start + (end - start) * math.log(value / low) / span, 1)


def round_values(low: float, high: float) -> list[float]:
    """Return the values 1, 2, 5, 10, 20 and so on that lie between the two."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [
        step * 10.0**power
        for power in powers
        for step in (1, 2, 5)
        if low <= step * 10.0**power <= high
    ]


def spread(places: dict[str, float]) -> dict[str, float]:
    """Move labels apart so that they don't overlap or run off the bottom of the drawing."""
    ordered = sorted(places, key=lambda key: places[key])
    spread = dict(places)
    for above, below in pairwise(ordered):
        spread[below] = max(spread[below], spread[above] + LINE_HEIGHT)
    lowest: float = HEIGHT - BOTTOM
    for key in reversed(ordered):
        spread[key] = min(spread[key], lowest)
        lowest = spread[key] - LINE_HEIGHT
    return spread


def text(x: float, y: float, content: str, attributes: str = "") -> str:
    return f'<text x="{x}" y="{y}" {attributes}>{escape(content)}</text>'
