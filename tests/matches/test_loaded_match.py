"""Results of moves, which matches share."""

from random import Random

import pytest

from games.matches.loaded_match import played
from games.rules import GAMES, IllegalMove

TOWER = GAMES["number-tower-duel"]


def test_matches_share_the_result_of_the_same_move_in_the_same_position():
    first, second = (TOWER.setup(Random()) for _ in range(2))
    assert played(TOWER, first, 1, 6) is played(TOWER, second, 1, 6)
    assert played(TOWER, first, 1, 6) is not played(GAMES["number-eliminator"], first, 1, 6)
    assert played(TOWER, first, 1, 6).events[0]["number"] == 6


@pytest.mark.parametrize("move", [True, 1.0, None, [1], {"number": 1}])
def test_a_move_that_only_equals_a_number_is_refused_after_that_number_was_played(move):
    state = TOWER.setup(Random())
    played(TOWER, state, 1, 1)
    with pytest.raises(IllegalMove) as refusal:
        played(TOWER, state, 1, move)
    assert refusal.value.code == "not_a_move"
