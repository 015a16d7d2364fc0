"""Number Blossoms in the tests."""

from math import gcd

from hypothesis import strategies as st

from games.rules import PASS

OPTIONS = st.fixed_dictionaries(
    {}, optional={"pool": st.integers(2, 20), "petals": st.integers(1, 8)}
)


def random_options(rng):
    return {"pool": rng.randint(2, 20), "petals": rng.randint(1, 8)}


def referee(setup, moves):
    if len(moves) < 2:
        return None
    centres = moves[:2]
    grown = [[m for m in moves[2 + player :: 2] if m != PASS] for player in (0, 1)]
    for player in (0, 1):
        if len(grown[player]) == setup["petals"]:
            return player + 1
    left = set(range(1, setup["pool"] + 1)) - set(moves)
    if any(gcd(number, centre) > 1 for number in left for centre in centres):
        return None
    return 2 if len(grown[1]) > len(grown[0]) else 1
