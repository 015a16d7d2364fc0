"""The `Kit`: what a game brings along besides its rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from games.pictures.canvas import Box, Canvas
from games.pictures.palette import Accent
from games.rules import Game, Move
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

Show: TypeAlias = Callable[[Any], list[Sentence]]
"""Takes a state; returns the board in lines of text."""

Narration: TypeAlias = Mapping[str, Callable[..., Sentence]]
"""For each type of event, what makes its sentence, usually a `Template`. It is called with the
fields of the event, the seat as `player`."""

Draw: TypeAlias = Callable[[Canvas, Box, Mapping[str, Any], Accent], None]
"""Takes a state as JSON and draws the board into a box."""


@dataclass(frozen=True)
class Size:
    """A size of the board that the pages offer; programs may choose any that the rules allow."""

    slug: str
    label: Sentence
    options: Mapping[str, Any] = field(default_factory=dict)


CLASSIC = Size("classic", Template(_("Classic"))())


@dataclass(frozen=True)
class Example:
    """A worked example: what the players enter, including entries that are refused.

    `grid` is the first board, for a game whose rules have `setup_from`.
    """

    entries: tuple[Move, ...]
    grid: tuple[int, ...] = ()


@dataclass(frozen=True)
class Kit:
    """Everything Python asks about one game. The name of a file that a page needs is here too."""

    game: Game[Any]
    accent: str
    """The game's colour: the `pink` of `.accent-pink` in static/tokens.css."""
    sizes: tuple[Size, ...]
    example: Example
    show: Show
    prompt: str
    """What the terminal asks for."""
    narration: Narration
    draw: Draw

    @property
    def slug(self) -> str:
        return self.game.slug

    @property
    def name(self) -> str:
        return self.game.name

    def options_of(self, size: str) -> Mapping[str, Any]:
        """The options of a size, or of the classic one if this game does not offer that size."""
        return next((one.options for one in self.sizes if one.slug == size), CLASSIC.options)

    @property
    def setup_from(self) -> Callable[..., Any] | None:
        """Set up a match on a given grid, if the game has one."""
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
