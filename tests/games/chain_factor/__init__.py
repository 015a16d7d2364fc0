"""Chain Factor in the tests."""

from math import gcd

from tests.games.last_number import OPTIONS, random_options, referee_by

__all__ = ["OPTIONS", "random_options", "referee"]

referee = referee_by(lambda number, last: gcd(number, last) == 1)
