"""Whether a match is over, and who won, judged a second time by a referee that shares no code.

The referee knows the first setup and the list of moves, nothing of the rules' states.
"""

from math import gcd
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import GAMES, PASS
from tests.rules.test_properties import OPTIONS


def referee_last_number(slug, setup, moves):
    left = set(range(1, setup["pool"] + 1)) - set(moves)
    if not moves:
        return None
    last = moves[-1]
    if slug == "chain-factor":
        fitting = [n for n in left if gcd(n, last) == 1]
    else:
        fitting = [n for n in left if not n % last or not last % n]
    if fitting:
        return None
    return 1 if len(moves) % 2 else 2


def referee_blossoms(slug, setup, moves):
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


def referee_collapse(slug, setup, moves):
    size, target = setup["size"], setup["target"]
    grid = {divmod(index, size): number for index, number in enumerate(setup["cells"])}
    totals, reached_by = [0, 0], []
    for turn, move in enumerate(moves):
        player = turn % 2
        row, column = divmod(move - 1, size)
        number = grid.pop((row, column))
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if grid.get(near, number) < number:
                del grid[near]
        totals[player] += number
        reached_by.append((player, totals[player]))
    one, two = totals
    round_complete = len(moves) % 2 == 0
    if two >= target or (one >= target and round_complete):
        return 2 if two > one else 1
    if one >= target:
        chance = any(two + n >= target and two + n > one for n in grid.values())
        return None if chance else 1
    if grid:
        return None
    if one != two:
        return 1 if one > two else 2
    return 1 + next(player for player, total in reached_by if total == one)


REFEREES = {
    "number-blossoms": referee_blossoms,
    "number-tower-duel": referee_last_number,
    "chain-factor": referee_last_number,
    "number-collapse": referee_collapse,
    "number-eliminator": referee_last_number,
}


@pytest.mark.parametrize("slug", GAMES)
@given(data=st.data())
def test_a_match_ends_when_the_referee_says_and_with_the_same_winner(slug, data):
    game = GAMES[slug]
    rng = Random(data.draw(st.integers(0, 2**32)))
    state = game.setup(rng, **data.draw(OPTIONS[slug]))
    setup, moves = game.to_json(state), []
    while True:
        outcome = game.outcome(state)
        assert REFEREES[slug](slug, setup, moves) == (outcome and outcome.winner)
        if outcome:
            break
        moves.append(rng.choice(game.legal_moves(state)))
        state = game.play(state, state.turn, moves[-1]).state
