"""The rules agree with an independent referee on when a match is over and who won.

The referee shares no code with the rules. It sees the setup and the moves, but no states.
"""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import GAMES
from tests.games import facts_of


@pytest.mark.parametrize("slug", GAMES)
@given(data=st.data())
def test_the_rules_and_the_referee_agree_on_the_end_and_the_winner(slug, data):
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
