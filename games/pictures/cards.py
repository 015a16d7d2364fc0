"""A card for a link's preview: what the game is called, how it stands, and its board."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.pictures.canvas import Canvas
from games.pictures.icons import draw_logo
from games.pictures.palette import ACCENTS, COLOURS
from games.pictures.positions import draw_position
from games.rules import GAMES

# What chat programs show large.
SIZE = (1200, 630)
BOARD = (530, 46, 620, 538)


@lru_cache(maxsize=256)
def card_png(slug: str, state: Any, headline: str) -> bytes:
    """The picture of a position, with a few words on how it stands."""
    game = GAMES[slug]
    data: Mapping[str, Any] = game.to_json(state)
    accent = ACCENTS[slug]
    canvas = Canvas(*SIZE, accent.tint)
    draw_logo(canvas, (60, 60, 64, 64))
    canvas.text((142, 94), "Numgames", 34, COLOURS["ink"], "lm")
    for line, word in enumerate(game.name.split()):
        canvas.text((60, 210 + 84 * line), word, 76, accent.word, "lm")
    for line, text in enumerate(headline.split("\n")):
        canvas.text((60, 500 + 50 * line), text, 38, COLOURS["ink"], "lm", bold=line == 0)
    draw_position(canvas, BOARD, slug, data)
    return canvas.png()


@lru_cache(maxsize=8)
def site_png(headline: str) -> bytes:
    """The site itself: a tile for each game, in its colour."""
    canvas = Canvas(*SIZE, COLOURS["ground"])
    draw_logo(canvas, (80, 84, 92, 92))
    canvas.text((200, 132), "Numgames", 58, COLOURS["ink"], "lm")
    canvas.text((80, 290), headline, 84, COLOURS["ink"], "lm")
    for index, accent in enumerate(ACCENTS.values()):
        box = (80 + 212 * index, 392, 180, 150)
        canvas.tile(box, index + 1, accent)
    return canvas.png()
