"""What the tests of the last-number games share."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

OPTIONS = st.fixed_dictionaries(
    {}, optional={"pool": st.integers(2, 100), "opening": st.sampled_from(["any", "even"])}
)


def random_options(rng: Random) -> dict[str, Any]:
    return {"pool": rng.choice([9, 20, 100]), "opening": rng.choice(["any", "even"])}


def referee_by(fits: Callable[[int, int], bool]) -> Callable[..., int | None]:
    """Return a referee for a game in which `fits` decides whether a number fits the last one."""

    def referee(setup: Mapping[str, Any], moves: Sequence[int]) -> int | None:
        left = set(range(1, setup["pool"] + 1)) - set(moves)
        if not moves or any(fits(number, moves[-1]) for number in left):
            return None
        return 1 if len(moves) % 2 else 2

    return referee
