"""Number Collapse."""

from random import Random

import pytest

from games.rules import BadOption, IllegalMove
from games.rules.collapse import COLLAPSE, CollapseState

EXAMPLE = [1, 5, 9, 6, 2, 8, 7, 3, 4]


def position(cells, scores, turn, target=15):
    return CollapseState(3, target, tuple(cells), scores, turn)


def test_the_same_seed_gives_the_same_shuffle():
    assert COLLAPSE.setup(Random(7)) == COLLAPSE.setup(Random(7))
    assert len({COLLAPSE.setup(Random(seed)).cells for seed in range(50)}) > 40


@pytest.mark.parametrize(("size", "target"), [(3, 15), (4, 45), (5, 108)])
def test_every_size_has_its_target(size, target):
    state = COLLAPSE.setup(Random(1), size=size)
    assert state.target == target
    assert sorted(state.cells) == list(range(1, size**2 + 1))


def test_only_smaller_neighbours_collapse_and_it_goes_no_further():
    step = COLLAPSE.play(COLLAPSE.setup_from(EXAMPLE), 1, 3)
    assert step.state.cells == (1, 0, 0, 6, 2, 0, 7, 3, 4)
    assert step.events == (
        {"type": "taken", "seat": 1, "number": 9, "position": 3},
        {"type": "scored", "seat": 1, "points": 9, "total": 9},
        {"type": "collapsed", "seat": 1, "number": 5, "position": 2, "under": 9},
        {"type": "collapsed", "seat": 1, "number": 8, "position": 6, "under": 9},
    )


def test_the_last_cell_of_a_row_and_the_first_of_the_next_are_not_neighbours():
    step = COLLAPSE.play(COLLAPSE.setup_from([1, 2, 9, 3, 4, 5, 6, 7, 8]), 1, 3)
    assert step.state.cells == (1, 0, 0, 3, 4, 0, 6, 7, 8)


def test_player_2_reaching_the_target_ends_the_match_at_once():
    state = position([0, 0, 0, 0, 5, 0, 0, 0, 9], (14, 10), 2)
    step = COLLAPSE.play(state, 2, 5)
    assert COLLAPSE.outcome(step.state)[:2] == (2, "target")
    assert [event["type"] for event in step.events] == ["taken", "scored", "reached", "won"]


def test_player_1_reaching_the_target_ends_the_match_if_player_2_cannot_overtake():
    # 6 takes Player 2 to 16, but not above 16.
    state = position([7, 0, 0, 0, 0, 0, 0, 0, 6], (9, 10), 1)
    assert COLLAPSE.outcome(COLLAPSE.play(state, 1, 1).state)[:2] == (1, "target")


def test_an_overtaking_number_must_also_reach_the_target():
    # 6 would take Player 2 to 14, which is short of 15.
    state = position([7, 0, 0, 0, 0, 0, 0, 0, 6], (8, 8), 1)
    assert COLLAPSE.outcome(COLLAPSE.play(state, 1, 1).state)[:2] == (1, "target")


@pytest.mark.parametrize(
    ("reply", "winner", "code"), [(9, 2, "higher_total"), (1, 1, "target"), (3, 1, "higher_total")]
)
def test_player_2_has_one_last_reply_if_it_could_overtake(reply, winner, code):
    # Player 1 takes 8 and has 17. Player 2 has 10, and 2, 6 and 9 are left.
    state = position([2, 0, 6, 0, 8, 0, 0, 0, 9], (9, 10), 1)
    step = COLLAPSE.play(state, 1, 5)
    assert [event["type"] for event in step.events] == ["taken", "scored", "reached", "last_reply"]
    assert step.events[-1] == {"type": "last_reply", "seat": 2, "total": 17, "target": 15}
    assert COLLAPSE.outcome(step.state) is None
    assert COLLAPSE.legal_moves(step.state) == (1, 3, 9)
    final = COLLAPSE.play(step.state, 2, reply).state
    assert COLLAPSE.outcome(final)[:2] == (winner, code)
    assert COLLAPSE.legal_moves(final) == ()


def test_equal_totals_after_the_reply_go_to_player_1():
    state = position([0, 0, 6, 0, 7, 0, 0, 0, 9], (9, 10), 1)
    state = COLLAPSE.play(state, 1, 5).state
    assert COLLAPSE.outcome(COLLAPSE.play(state, 2, 3).state)[:2] == (1, "target_first")


@pytest.mark.parametrize(
    ("scores", "turn", "number", "winner", "code"),
    [
        ((13, 9), 1, 1, 1, "higher_total"),
        ((9, 11), 1, 1, 2, "higher_total"),
        # The player who takes the last number is the last to reach the shared total.
        ((9, 10), 1, 1, 2, "total_first"),
        ((10, 8), 2, 2, 1, "total_first"),
    ],
)
def test_when_the_grid_is_empty_the_totals_decide(scores, turn, number, winner, code):
    step = COLLAPSE.play(position([number] + [0] * 8, scores, turn), turn, 1)
    assert [event["type"] for event in step.events] == ["taken", "scored", "emptied", "won"]
    assert COLLAPSE.outcome(step.state)[:2] == (winner, code)


def test_empty_positions_and_positions_outside_the_grid_are_refused():
    state = COLLAPSE.play(COLLAPSE.setup_from(EXAMPLE), 1, 3).state
    for move in (2, 3, 6, 0, 10, -1, 10**5000):
        with pytest.raises(IllegalMove) as caught:
            COLLAPSE.play(state, 2, move)
        assert caught.value.code == "not_available"


@pytest.mark.parametrize(
    "grid",
    [
        [],
        [1, 2, 3, 4, 5, 6, 7, 8],
        [1, 1, 3, 4, 5, 6, 7, 8, 9],
        [0, 2, 3, 4, 5, 6, 7, 8, 9],
        [True, 2, 3, 4, 5, 6, 7, 8, 9],
        ["1", 2, 3, 4, 5, 6, 7, 8, 9],
        "159628734",
        range(1, 37),
    ],
)
def test_a_malformed_grid_is_refused_with_a_message(grid):
    with pytest.raises(BadOption) as caught:
        COLLAPSE.setup_from(grid)
    assert caught.value.text.endswith(".")


@pytest.mark.parametrize(
    "options",
    [{"size": 2}, {"size": 6}, {"size": [3]}, {"target": 0}, {"target": 46}, {"pool": 9}],
    ids=str,
)
def test_options_have_limits(options):
    with pytest.raises(BadOption):
        COLLAPSE.setup(Random(0), **options)


def test_a_given_grid_can_have_a_different_target():
    assert COLLAPSE.setup_from(EXAMPLE, target=20).target == 20
    with pytest.raises(BadOption):
        COLLAPSE.setup_from(EXAMPLE, target=46)
    with pytest.raises(BadOption):
        COLLAPSE.setup_from(EXAMPLE, size=4)
