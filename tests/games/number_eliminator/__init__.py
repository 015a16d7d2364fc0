"""Number Eliminator in the tests."""

from tests.games.last_number import OPTIONS, random_options, referee_by

__all__ = ["MOVING", "OPTIONS", "random_options", "referee"]

MOVING = ""

referee = referee_by(lambda number, last: not number % last or not last % number)
