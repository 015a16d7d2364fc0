"""Cards for link previews: the game's name, how the match stands, and its board."""

from functools import lru_cache
from typing import Any

from games.catalogue import KITS
from games.pictures.canvas import Canvas
from games.pictures.icons import draw_logo
from games.pictures.palette import COLOURS, accent

# Chat programs show this size as a large picture.
SIZE = (1200, 630)
BOARD = (530, 46, 620, 538)


@lru_cache(maxsize=256)
def card_png(slug: str, state: Any, headline: str) -> bytes:
    """Draw a position, with a headline that says how the match stands."""
    kit = KITS[slug]
    colours = accent(kit.accent)
    canvas = Canvas(*SIZE, colours.tint)
    draw_logo(canvas, (60, 60, 64, 64))
    canvas.text((142, 94), "Numgames", 34, COLOURS["ink"], "lm")
    for line, word in enumerate(kit.name.split()):
        canvas.text((60, 210 + 84 * line), word, 76, colours.word, "lm")
    for line, text in enumerate(headline.split("\n")):
        canvas.text((60, 500 + 50 * line), text, 38, COLOURS["ink"], "lm", bold=line == 0)
    kit.draw(canvas, BOARD, kit.game.to_json(state), colours)
    return canvas.png()


@lru_cache(maxsize=8)
def site_png(headline: str) -> bytes:
    """Draw the card of the site: a tile for each game, in its colour."""
    canvas = Canvas(*SIZE, COLOURS["ground"])
    draw_logo(canvas, (80, 84, 92, 92))
    canvas.text((200, 132), "Numgames", 58, COLOURS["ink"], "lm")
    canvas.text((80, 290), headline, 84, COLOURS["ink"], "lm")
    step = min(212, 1060 / len(KITS))
    for index, kit in enumerate(KITS.values()):
        canvas.tile((80 + step * index, 392, step - 32, 150), index + 1, accent(kit.accent))
    return canvas.png()
