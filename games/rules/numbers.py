"""Sets of small whole numbers as bits of one int: bit n stands for the number n.

Comparing, hashing and copying such a set costs next to nothing, which the states live from.
"""

from collections.abc import Iterable
from functools import lru_cache


def bits(numbers: Iterable[int]) -> int:
    """The set that holds these numbers."""
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


@lru_cache(maxsize=4096)
def members(numbers: int) -> tuple[int, ...]:
    """The numbers of a set, sorted."""
    return tuple(number for number in range(numbers.bit_length()) if numbers >> number & 1)


def one_to(highest: int) -> int:
    """The set 1, 2, … highest."""
    return (1 << highest + 1) - 2
