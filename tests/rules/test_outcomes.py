"""Whether a match is over, and who won, judged a second time by a referee that shares no code.

The referee knows the first setup and the list of moves, nothing of the rules' states.
"""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import GAMES
from tests.games import facts_of


@pytest.mark.parametrize("slug", GAMES)
@given(data=st.data())
def test_a_match_ends_when_the_referee_says_and_with_the_same_winner(slug, data):
    game, facts = GAMES[slug], facts_of(slug)
    rng = Random(data.draw(st.integers(0, 2**32)))
    state = game.setup(rng, **data.draw(facts.OPTIONS))
    setup, moves = game.to_json(state), []
    while True:
        outcome = game.outcome(state)
        assert facts.referee(setup, moves) == (outcome and outcome.winner)
        if outcome:
            break
        moves.append(rng.choice(game.legal_moves(state)))
        state = game.play(state, state.turn, moves[-1]).state
