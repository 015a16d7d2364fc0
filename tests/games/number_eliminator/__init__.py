"""Number Eliminator in the tests."""

from tests.games.last_number import OPTIONS, random_options, referee_by

__all__ = ["OPTIONS", "random_options", "referee"]

referee = referee_by(lambda number, last: not number % last or not last % number)
