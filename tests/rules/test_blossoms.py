"""Number Blossoms."""

from random import Random

import pytest

from games.rules import BadOption, IllegalMove
from games.rules.blossoms import BLOSSOMS


def after(*moves, **options):
    state = BLOSSOMS.setup(Random(0), **options)
    for move in moves:
        state = BLOSSOMS.play(state, state.turn, move).state
    return state


def refusal(state, move):
    with pytest.raises(IllegalMove) as caught:
        BLOSSOMS.play(state, state.turn, move)
    return caught.value


def test_eight_is_a_petal_of_six_and_six_has_left_the_pool():
    assert BLOSSOMS.legal_moves(after(6, 5)) == (2, 3, 4, 8, 9)


def test_the_other_players_centre_has_left_the_pool_too():
    assert refusal(after(6), 6).code == "not_available"
    assert refusal(after(6, 3), 3).code == "not_available"


def test_your_own_centre_is_refused_with_its_own_message():
    assert refusal(after(6, 5), 6).code == "own_centre"


def test_a_number_that_shares_no_factor_is_refused_as_a_petal():
    wrong = refusal(after(6, 4), 7)
    assert (wrong.code, wrong.text) == (
        "breaks_rule",
        "7 and your centre 6 share no factor greater than 1.",
    )


def test_you_cannot_pass_before_choosing_a_centre():
    assert refusal(after(), "pass").code == "may_not_pass"
    assert refusal(after(6), "pass").code == "may_not_pass"


def test_passing_with_a_petal_available_is_refused_and_names_the_petals():
    may_not = refusal(after(6, 5), "pass")
    assert may_not.code == "may_not_pass"
    assert "2, 3, 4, 8, 9" in may_not.text


def test_if_no_petal_fits_passing_is_the_only_legal_move():
    state = after(6, 5, 2)
    assert BLOSSOMS.legal_moves(state) == ("pass",)
    assert refusal(state, 4).code == "must_pass"
    assert set(BLOSSOMS.why_not(state)) == {1, 3, 4, 7, 8, 9}
    step = BLOSSOMS.play(state, 2, "pass")
    assert step.events == ({"type": "passed", "seat": 2},)
    assert step.state.turn == 1


def test_a_move_that_leaves_the_other_player_stuck_says_so():
    step = BLOSSOMS.play(after(6, 5), 1, 2)
    assert step.events == (
        {"type": "petal", "seat": 1, "number": 2, "shared": 2, "count": 1},
        {"type": "stuck", "seat": 2},
    )


def test_a_player_without_petals_to_add_is_not_stuck_while_the_other_player_is_to_move():
    step = BLOSSOMS.play(after(6), 2, 5)
    assert step.events == ({"type": "centre", "seat": 2, "number": 5},)


def test_four_petals_win_at_once():
    state = after(6, 5, 2, "pass", 3, "pass", 9, "pass")
    step = BLOSSOMS.play(state, 1, 4)
    assert [event["type"] for event in step.events] == ["petal", "completed", "won"]
    assert BLOSSOMS.outcome(step.state)[:2] == (1, "completed")


def test_if_neither_centre_has_a_petal_the_match_ends_and_player_1_wins():
    step = BLOSSOMS.play(after(5), 2, 7)
    assert [(event["type"], event["seat"]) for event in step.events] == [
        ("centre", 2),
        ("stuck", 1),
        ("stuck", 2),
        ("won", 1),
    ]
    assert BLOSSOMS.outcome(step.state)[:2] == (1, "first_turn")


def test_when_both_are_stuck_more_petals_win():
    # Centre 3 fits 6 and 9; centre 2 fits 4, 6 and 8.
    state = after(3, 2, 9, 6, "pass", 4, "pass", 8)
    assert BLOSSOMS.outcome(state)[:2] == (2, "more_petals")
    assert BLOSSOMS.outcome(after(5, 6, "pass", 2, "pass", 3, "pass", 4, "pass", 8))[:2] == (
        2,
        "completed",
    )
    assert BLOSSOMS.outcome(after(9, 7, 3, "pass", 6))[:2] == (1, "more_petals")


def test_equal_petals_go_to_player_1():
    # Centre 3 gets 9 and 6; centre 4 gets 2 and 8.
    assert BLOSSOMS.outcome(after(3, 4, 9, 2, 6, 8))[:2] == (1, "first_turn")


def test_the_size_of_the_pool_and_the_number_of_petals_are_options():
    assert BLOSSOMS.legal_moves(after(6, 5, pool=15)) == (2, 3, 4, 8, 9, 10, 12, 14, 15)
    assert BLOSSOMS.outcome(after(6, 5, 2, petals=1))[:2] == (1, "completed")


@pytest.mark.parametrize("options", [{"pool": 21}, {"pool": 1}, {"petals": 0}, {"petals": 9}])
def test_options_have_limits(options):
    with pytest.raises(BadOption):
        BLOSSOMS.setup(Random(0), **options)
