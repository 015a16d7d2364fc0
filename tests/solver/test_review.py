"""A review of a match says who had a winning position, and when they gave it away."""

import json
from dataclasses import asdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue import KITS
from games.catalogue.examples import first_state, replay
from games.rules import GAMES, other
from games.rules.collapse import COLLAPSE
from games.rules.last_number import TOWER_DUEL
from games.solver import Accuracy, review, solve
from tests.rules.test_properties import drawn_match
from tests.solver.test_hint import numbers

START = TOWER_DUEL.setup(Random(0))


def in_turn(*moves):
    return [(index % 2 + 1, move) for index, move in enumerate(moves)]


def test_every_move_of_a_match_is_marked():
    # 6 gives the win away, 3 gives it back, 9 keeps it; then 1 is forced, and every move wins.
    seen = review(TOWER_DUEL, START, in_turn(6, 3, 9, 1, 5))
    assert seen.holders == (1, 2, 1, 1, 1, 1)
    kinds = ["gave_away", "gave_away", "kept", "already_lost", "kept"]
    assert [mark.kind for mark in seen.marks] == kinds
    assert [mark.mattered for mark in seen.marks] == [True, True, True, False, False]
    assert [mark.keeping for mark in seen.marks] == [(5, 7), (2,), (9,), (), (2, 4, 5, 7, 8)]
    assert [mark.best for mark in seen.marks] == [(5, 7), (2,), (9,), (1,), (5, 7)]
    assert seen.turning_point == 2
    assert seen.accuracy == (Accuracy(1, 2), Accuracy(0, 1))
    assert numbers(seen.summary) == [2, 2]


def test_for_a_move_that_gave_the_win_away_the_review_names_moves_that_kept_it():
    sentences = [mark.sentence for mark in review(TOWER_DUEL, START, in_turn(6, 3, 9)).marks]
    assert numbers(sentences[0]) == [5, 7, 5, 1, 1, 7]
    assert numbers(sentences[1])[:2] == [2, 2]
    assert numbers(sentences[2]) == [9, 1, 1, 5]


def test_if_many_moves_kept_the_win_the_review_names_some_of_them():
    start = TOWER_DUEL.setup(Random(0), pool=100)
    mark = review(TOWER_DUEL, start, [(1, 1)]).marks[0]
    assert mark.kind == "gave_away"
    assert len(mark.keeping) == 73
    assert numbers(mark.sentence)[:4] == [*mark.keeping[:3], 70]


def test_if_nobody_gives_the_win_away_there_is_no_turning_point():
    seen = review(TOWER_DUEL, START, in_turn(5, 1, 7))
    assert seen.turning_point is None
    assert seen.holders == (1, 1, 1, 1)
    assert numbers(seen.summary) == [1]
    assert seen.accuracy == (Accuracy(2, 2), Accuracy(0, 0))


def test_a_match_without_moves_can_be_reviewed():
    seen = review(TOWER_DUEL, START, [])
    assert (seen.holders, seen.marks, seen.turning_point) == ((1,), (), None)


@pytest.mark.parametrize("slug", GAMES)
def test_the_worked_examples_can_be_reviewed(slug):
    game, start = GAMES[slug], first_state(KITS[slug])
    moves = [(entry.seat, entry.move) for entry in replay(KITS[slug]) if entry.refused is None]
    seen = review(game, start, moves)
    assert seen.holders[0] == seen.holders[-1] == 1
    assert json.loads(json.dumps(asdict(seen)))["marks"][0]["number"] == 1


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_a_review_agrees_with_the_solver_move_by_move(slug, data):
    game = GAMES[slug]
    states, moves = drawn_match(data, game)
    nodes = data.draw(st.sampled_from([0, 500, 3_000]), label="nodes")
    seen = review(game, states[0], in_turn(*moves), nodes)
    assert len(seen.holders) == len(states)
    assert len(seen.marks) == len(moves)
    for mark, state, before, holder in zip(
        seen.marks, states, seen.holders, seen.holders[1:], strict=False
    ):
        assert (mark.seat, mark.move) == (state.turn, moves[mark.number - 1])
        solution = solve(game, state, 3_000)
        assert None in (before, solution.winner) or before == solution.winner
        expected = {
            (mark.seat, mark.seat): "kept",
            (mark.seat, other(mark.seat)): "gave_away",
            (other(mark.seat), holder): "already_lost",
        }
        assert mark.kind == expected.get((before, holder), "unsolved")
        assert (mark.move in mark.keeping) == (mark.kind == "kept")
        assert bool(mark.sentence) == (mark.mattered and mark.kind != "unsolved")
        assert mark.mattered or mark.kind != "gave_away"
    if game.outcome(states[-1]):
        assert seen.holders[-1] == game.outcome(states[-1]).winner
    given_away = [mark.number for mark in seen.marks if mark.kind == "gave_away"]
    assert seen.turning_point == (given_away[-1] if given_away else None)


def test_moves_beyond_the_budget_are_marked_as_unsolved():
    start = state = COLLAPSE.setup(Random(6), size=5)
    rng, moves = Random(6), []
    while COLLAPSE.outcome(state) is None:
        moves.append((state.turn, rng.choice(COLLAPSE.legal_moves(state))))
        state = COLLAPSE.play(state, *moves[-1]).state
    seen = review(COLLAPSE, start, moves, 3_000)
    kinds = [mark.kind for mark in seen.marks]
    assert kinds[0] == "unsolved"
    assert seen.holders[0] is None
    # The end of a match is cheap to solve, so it fits the budget.
    assert kinds[-1] != "unsolved"
    assert seen.summary
    assert review(COLLAPSE, start, moves[:3], 10).turning_point is None
