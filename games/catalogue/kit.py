"""The `Kit`: everything a game needs besides its rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from games.pictures.canvas import Box, Canvas
from games.pictures.palette import Accent
from games.rules import Game, Move
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

Show: TypeAlias = Callable[[Any], list[Sentence]]
"""Takes a state and returns the board as lines of text."""

Narration: TypeAlias = Mapping[str, Callable[..., Sentence]]
"""For each type of event, the function that makes its sentence, usually a `Template`. It is
called with the fields of the event, and with the seat as `player`."""

Draw: TypeAlias = Callable[[Canvas, Box, Mapping[str, Any], Accent], None]
"""Takes a state as JSON and draws the board into a box."""


@dataclass(frozen=True)
class Size:
    """A board size that the pages offer. Programs may choose any size that the rules allow."""

    slug: str
    label: Sentence
    options: Mapping[str, Any] = field(default_factory=dict)


CLASSIC_SIZE = Template(_("Classic"))
CLASSIC = Size("classic", CLASSIC_SIZE())


@dataclass(frozen=True)
class Example:
    """A worked example: the players' entries, including some that are refused.

    `grid` is the starting board, for games whose rules have `setup_from`.
    """

    entries: tuple[Move, ...]
    grid: tuple[int, ...] = ()


@dataclass(frozen=True)
class Kit:
    """Everything the Python code needs to know about one game, including its template files."""

    game: Game[Any]
    accent: str
    """The game's colour: the `pink` of `.accent-pink` in static/tokens.css."""
    sizes: tuple[Size, ...]
    example: Example
    show: Show
    prompt: str
    """The prompt at the terminal."""
    narration: Narration
    draw: Draw

    @property
    def slug(self) -> str:
        return self.game.slug

    @property
    def name(self) -> str:
        return self.game.name

    def options_of(self, size: str) -> Mapping[str, Any]:
        """Return the options of a size, or of the classic size if the game doesn't have it."""
        return next((one.options for one in self.sizes if one.slug == size), CLASSIC.options)

    @property
    def setup_from(self) -> Callable[..., Any] | None:
        """The function that sets up a match on a given grid; None if the game has no grid."""
        return getattr(self.game, "setup_from", None)

    @property
    def summary(self) -> str:
        return f"games/{self.slug}/summary.html"

    @property
    def how_to_play(self) -> str:
        return f"games/{self.slug}/how_to_play.html"

    @property
    def rules(self) -> str:
        return f"games/{self.slug}/rules.html"

    @property
    def picture(self) -> str:
        return f"games/{self.slug}/picture.svg"

    @property
    def script(self) -> str:
        return f"games/{self.slug}/board.js"

    @property
    def styles(self) -> str:
        return f"games/{self.slug}/board.css"

    @property
    def picture_styles(self) -> str:
        return f"games/{self.slug}/picture.css"
