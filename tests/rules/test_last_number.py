"""Number Tower Duel, Number Eliminator and Chain Factor."""

from math import gcd
from random import Random

import pytest

from games.rules import BadOption, IllegalMove
from games.rules.last_number import CHAIN_FACTOR, ELIMINATOR, TOWER_DUEL

LAST_NUMBER = [TOWER_DUEL, ELIMINATOR, CHAIN_FACTOR]


def after(game, *moves, **options):
    state = game.setup(Random(0), **options)
    for move in moves:
        state = game.play(state, state.turn, move).state
    return state


def repr_of_type(options):
    return "-".join(f"{name}-{type(value).__name__}" for name, value in options.items())


def refusal(game, state, move, seat=None):
    with pytest.raises(IllegalMove) as caught:
        game.play(state, seat or state.turn, move)
    return caught.value


@pytest.mark.parametrize("game", LAST_NUMBER, ids=lambda game: game.slug)
@pytest.mark.parametrize("pool", [9, 100])
def test_exactly_the_numbers_that_fit_are_legal(game, pool):
    fits = (
        (lambda a, b: gcd(a, b) == 1)
        if game is CHAIN_FACTOR
        else (lambda a, b: a % b == 0 or b % a == 0)
    )
    for first in range(1, pool + 1):
        expected = [n for n in range(1, pool + 1) if n != first and fits(n, first)]
        assert list(game.legal_moves(after(game, first, pool=pool))) == expected


def test_tower_duel_and_eliminator_share_one_implementation():
    assert type(TOWER_DUEL) is type(ELIMINATOR)
    assert TOWER_DUEL.relation is ELIMINATOR.relation


def test_a_number_cannot_be_played_twice():
    for game in LAST_NUMBER:
        taken = refusal(game, after(game, 5, 1), 5)
        assert taken.code == "not_available"
        assert "5" in taken.text


def test_the_refusal_of_a_number_that_does_not_fit_names_both_numbers():
    tower = refusal(TOWER_DUEL, after(TOWER_DUEL, 6), 4)
    assert (tower.code, tower.text) == (
        "breaks_rule",
        "4 is neither a divisor nor a multiple of 6.",
    )
    chain = refusal(CHAIN_FACTOR, after(CHAIN_FACTOR, 6), 9)
    assert (chain.code, chain.text) == ("breaks_rule", "9 and 6 share the factor 3.")


def test_one_is_always_allowed_in_chain_factor():
    for first in range(2, 10):
        assert 1 in CHAIN_FACTOR.legal_moves(after(CHAIN_FACTOR, first))


def test_passing_is_refused():
    assert refusal(TOWER_DUEL, after(TOWER_DUEL, 6), "pass").code == "may_not_pass"


def test_five_then_one_then_seven_leaves_player_2_stuck():
    state = after(TOWER_DUEL, 5, 1)
    step = TOWER_DUEL.play(state, 1, 7)
    assert [event["type"] for event in step.events] == ["placed", "stuck", "won"]
    assert step.events[0] == {"type": "placed", "seat": 1, "number": 7, "after": 1, "count": 3}
    assert step.events[1]["seat"] == 2
    outcome = TOWER_DUEL.outcome(step.state)
    assert (outcome.winner, outcome.code) == (1, "stuck")
    assert step.events[2] == {
        "type": "won",
        "seat": 1,
        "code": "stuck",
        "text": outcome.text,
    }
    assert TOWER_DUEL.legal_moves(step.state) == ()
    assert refusal(TOWER_DUEL, step.state, 2).code == "finished"


def test_with_no_number_left_the_outcome_says_so():
    game = CHAIN_FACTOR
    outcome = game.outcome(after(game, 7, 6, 5, 9, 8, 3, 4, 1, 2))
    assert outcome.text == "Player 2 can't move: no number is left."


def test_why_not_lists_only_blocked_numbers_still_in_the_pool():
    assert CHAIN_FACTOR.why_not(after(CHAIN_FACTOR, 7, 6)) == {
        n: f"{n} and 6 share the factor {gcd(n, 6)}." for n in (2, 3, 4, 8, 9)
    }


def test_an_even_opening_blocks_odd_numbers_on_the_first_turn_only():
    state = after(TOWER_DUEL, opening="even")
    assert TOWER_DUEL.legal_moves(state) == (2, 4, 6, 8)
    assert refusal(TOWER_DUEL, state, 7).code == "breaks_rule"
    assert TOWER_DUEL.legal_moves(after(TOWER_DUEL, 2, opening="even")) == (1, 4, 6, 8)


@pytest.mark.parametrize(
    "options",
    [
        {"pool": 1},
        {"pool": 101},
        {"pool": 9.0},
        {"pool": True},
        {"pool": "9"},
        {"pool": None},
        {"pool": 10**5000},
        {"pool": [10**5000]},
        {"opening": "odd"},
        {"opening": 1},
        {"size": 3},
    ],
    ids=repr_of_type,
)
def test_an_option_out_of_range_is_refused_with_a_message(options):
    for game in LAST_NUMBER:
        with pytest.raises(BadOption) as caught:
            game.setup(Random(0), **options)
        assert caught.value.text.endswith(".")


def test_a_long_wrong_value_is_shortened_in_the_message():
    with pytest.raises(BadOption) as caught:
        TOWER_DUEL.setup(Random(0), opening="x" * 1000)
    assert len(caught.value.text) < 120
