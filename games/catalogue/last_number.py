"""What the last-number games share: board sizes, and lines of text for the terminal."""

from games.catalogue.kit import CLASSIC, Size
from games.catalogue.narration import listed
from games.rules.last_number import LastNumber, LastNumberState
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

LARGER = Template(_("Larger: numbers to 20"))

SIZES = (CLASSIC, Size("larger", LARGER(), {"pool": 20}))

AVAILABLE = Template(_("Available numbers: {numbers}"))
LAST = Template(_("Last number: {last}"))


def available(game: LastNumber, state: LastNumberState) -> Sentence:
    return AVAILABLE(numbers=listed(game.on_board(state)))


def last_number(state: LastNumberState) -> list[Sentence]:
    """Return a line with the last number played, if there is one."""
    return [LAST(last=state.played[-1])] if state.played else []
