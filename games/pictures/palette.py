"""The colours of the pages, read from the one file that has them: pictures are light ones."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

TOKENS = Path(settings.BASE_DIR) / "static" / "tokens.css"

_css = TOKENS.read_text()
COLOURS: Mapping[str, str] = dict(re.findall(r"--([\w-]+): var\(--light, (#\w{6})\)", _css))


class Accent(NamedTuple):
    """A game's colours: of words, a tile's face, what is on it, its side, and the ground."""

    word: str
    face: str
    on_face: str
    side: str
    tint: str


def _accent(name: str) -> Accent:
    return Accent(
        COLOURS[name],
        COLOURS.get(f"{name}-face", COLOURS[name]),
        COLOURS.get(f"on-{name}", COLOURS["on-accent"]),
        COLOURS[f"{name}-deep"],
        COLOURS[f"{name}-tint"],
    )


ACCENTS: Mapping[str, Accent] = {
    slug: _accent(name)
    for slug, name in re.findall(r"\.([\w-]+) \{\s+--accent: var\(--(\w+)\)", _css)
}
SITE = _accent("indigo")
