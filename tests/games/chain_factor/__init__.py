"""Chain Factor in the tests."""

from math import gcd

from tests.games.last_number import OPTIONS, random_options, referee_by

__all__ = ["MOVING", "OPTIONS", "random_options", "referee"]

MOVING = "link"

referee = referee_by(lambda number, last: gcd(number, last) == 1)
