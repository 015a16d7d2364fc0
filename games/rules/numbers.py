"""Sets of small numbers, stored as the bits of one int: bit n stands for the number n.

Such a set is quick to compare, hash and copy, and the solver does that with millions of states.
"""

from collections.abc import Iterable
from functools import lru_cache


def bits(numbers: Iterable[int]) -> int:
    """Return the set of these numbers."""
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


@lru_cache(maxsize=4096)
def members(numbers: int) -> tuple[int, ...]:
    """Return the numbers in a set, sorted."""
    return tuple(number for number in range(numbers.bit_length()) if numbers >> number & 1)


def one_to(highest: int) -> int:
    """Return the set 1, 2, … highest."""
    return (1 << highest + 1) - 2
