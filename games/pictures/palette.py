"""Reads the pages' colours from static/tokens.css. Pictures use the light palette."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

TOKENS = Path(__file__).parents[2] / "static" / "tokens.css"

COLOURS: Mapping[str, str] = dict(
    re.findall(r"--([\w-]+): var\(--light, (#\w{6})\)", TOKENS.read_text())
)
INK, SOFT, PAPER, HOLE = (COLOURS[name] for name in ("ink", "soft", "paper", "hole"))
LINE, CARE = COLOURS["line"], COLOURS["care"]
SEATS = (COLOURS["seat-1"], COLOURS["seat-2"])
FILLS = (COLOURS["seat-1-soft"], COLOURS["seat-2-soft"])


class Accent(NamedTuple):
    """The colours of text, a tile's face, the number on it, a tile's side, and the background."""

    word: str
    face: str
    on_face: str
    side: str
    tint: str


@cache
def accent(name: str) -> Accent:
    """Return the colours that `.accent-<name>` sets on the pages."""
    return Accent(
        COLOURS[name],
        COLOURS.get(f"{name}-face", COLOURS[name]),
        COLOURS.get(f"on-{name}", COLOURS["on-accent"]),
        COLOURS[f"{name}-deep"],
        COLOURS[f"{name}-tint"],
    )


SITE = accent("indigo")
