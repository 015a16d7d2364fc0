"""The solver agrees with plain exhaustive search, and with known results for first moves."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import GAMES
from games.rules.blossoms import BLOSSOMS
from games.rules.collapse import COLLAPSE, Collapse
from games.rules.last_number import CHAIN_FACTOR, ELIMINATOR, TOWER_DUEL
from games.solver import solve, solver_for
from games.solver.by_search import SearchSolver
from tests.rules.test_properties import drawn_match
from tests.solver.exhaustive import Exhaustive, ExhaustiveCollapse, after, random_position, told

WITHOUT_LIMIT = 10**9
# With rows in alternating directions, more different positions are possible than on any other grid
# we tried.
HARDEST_GRID = (1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12, 16, 15, 14, 13)
LARGE_GRIDS = [COLLAPSE.setup(Random(seed), size=4).cells for seed in range(4)]


def agrees(search, state, solution):
    winner, distance = search.value(state)
    return told(solution) == search.verdicts(state) and (solution.winner, solution.distance) == (
        winner,
        distance,
    )


@pytest.mark.parametrize("game", [TOWER_DUEL, CHAIN_FACTOR, BLOSSOMS], ids=lambda game: game.slug)
def test_solver_and_exhaustive_search_agree_on_every_position_with_1_to_9(game):
    search = Exhaustive(game, game.setup(Random(0)))
    assert len(search.states) > 400
    for state in search.states.values():
        assert agrees(search, state, solve(game, state)), state


@pytest.mark.parametrize("petals", range(1, 6))
@pytest.mark.parametrize("pool", [2, 7, 11])
def test_solver_and_exhaustive_search_agree_on_blossoms_with_other_pools(pool, petals):
    start = BLOSSOMS.setup(Random(0), pool=pool, petals=petals)
    search, solver = Exhaustive(BLOSSOMS, start), solver_for(BLOSSOMS, start)
    for state in list(search.states.values())[:: len(search.states) // 100 + 1]:
        assert agrees(search, state, solver.solve(state)), state


def test_solver_and_exhaustive_search_agree_on_collapse():
    rng = Random(15)
    for _ in range(200):
        start = COLLAPSE.setup(rng)
        search, solver = ExhaustiveCollapse(start), solver_for(COLLAPSE, start)
        assert agrees(search, start, solver.solve(start)), start
        for state in rng.sample(list(search.states.values()), 5):
            assert agrees(search, state, solver.solve(state)), state


@pytest.mark.parametrize("target", [1, 2, 8, 9, 12, 17, 20, 30, 45])
def test_solver_and_exhaustive_search_agree_on_collapse_with_another_target(target):
    start = COLLAPSE.setup(Random(target), target=target)
    search, solver = Exhaustive(COLLAPSE, start), solver_for(COLLAPSE, start)
    for state in search.states.values():
        assert agrees(search, state, solver.solve(state)), state


def test_a_position_of_collapse_is_solved_without_knowing_earlier_positions():
    start = COLLAPSE.setup(Random(4))
    search = Exhaustive(COLLAPSE, start)
    for state in Random(5).sample(list(search.states.values()), 200):
        assert agrees(search, state, solve(COLLAPSE, state)), state


@pytest.mark.parametrize("seed", range(12))
def test_solver_and_exhaustive_search_agree_on_large_collapse(seed):
    rng = Random(seed)
    start = COLLAPSE.setup(rng, size=4)
    # From here on, exhaustive search is fast enough.
    state = random_position(COLLAPSE, start, rng, 4)
    search, solver = Exhaustive(COLLAPSE, state), solver_for(COLLAPSE, start)
    assert agrees(search, state, solve(COLLAPSE, state)), state
    assert agrees(search, state, solver.solve(state)), state
    for later in list(search.states.values())[:: len(search.states) // 20 + 1]:
        assert agrees(search, later, solver.solve(later)), later


@pytest.mark.parametrize("grid", [HARDEST_GRID, *LARGE_GRIDS], ids=str)
def test_the_budget_is_enough_to_solve_a_large_grid(grid):
    solution = solve(COLLAPSE, COLLAPSE.setup_from(grid))
    assert solution.distance is not None
    assert all(verdict.distance is not None for verdict in solution.verdicts)


@pytest.mark.parametrize(
    ("game", "first_moves"),
    [
        (TOWER_DUEL, (5, 7)),
        (ELIMINATOR, (5, 7)),
        (CHAIN_FACTOR, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (BLOSSOMS, (6,)),
    ],
    ids=lambda value: getattr(value, "slug", ""),
)
def test_the_winning_first_moves_are_the_known_ones(game, first_moves):
    solution = solve(game, game.setup(Random(0)))
    assert solution.winner == 1
    assert solution.keeping == first_moves


def test_player_1_wins_collapse_with_2_to_6_of_9_first_moves():
    for seed in range(100):
        solution = solve(COLLAPSE, COLLAPSE.setup(Random(seed)))
        assert solution.winner == 1
        assert 2 <= len(solution.keeping) <= 6


def test_a_finished_match_has_its_winner_and_no_moves():
    solution = solve(TOWER_DUEL, after(TOWER_DUEL, TOWER_DUEL.setup(Random(0)), 5, 1, 7))
    assert (solution.winner, solution.distance, solution.verdicts) == (1, 0, ())
    assert solution.best == solution.keeping == solution.losing == ()


def test_a_last_reply_in_collapse_is_solved():
    # Player 1 takes 8 and has 17. Player 2 has 10 and needs the 9.
    state = COLLAPSE.from_json(
        {
            "size": 3,
            "target": 15,
            "cells": [2, 0, 6, 0, 8, 0, 0, 0, 9],
            "scores": [9, 10],
            "turn": 1,
        }
    )
    assert told(solve(COLLAPSE, state))[5] == (2, 2)
    assert solve(COLLAPSE, after(COLLAPSE, state, 5)).best == (9,)


def test_a_last_reply_is_solved_even_as_the_first_position():
    state = COLLAPSE.from_json(
        {
            "size": 3,
            "target": 15,
            "cells": [2, 0, 6, 0, 0, 0, 0, 0, 9],
            "scores": [22, 14],
            "turn": 2,
        }
    )
    assert told(solve(COLLAPSE, state)) == {1: (1, 1), 3: (1, 1), 9: (2, 1)}


class NewGame(Collapse):
    """A game without its own solver."""


def test_a_game_without_its_own_solver_is_solved_by_search():
    game = NewGame()
    start = game.setup(Random(3))
    assert type(solver_for(game, start)) is SearchSolver
    assert told(solve(game, start)) == told(solve(COLLAPSE, start))


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=40)
@given(data=st.data())
def test_every_verdict_is_true_whatever_the_budget(slug, data):
    game = GAMES[slug]
    nodes = data.draw(st.integers(0, 3_000), label="nodes")
    rng = Random(data.draw(st.integers(0, 2**32), label="chance"))
    start = random_position(game, game.setup(rng), rng, rng.randrange(4))
    whole, found = solve(game, start, WITHOUT_LIMIT), solve(game, start, nodes)
    truth = told(whole)
    for verdict in found.verdicts:
        winner, distance = truth[verdict.move]
        assert verdict.winner in (winner, None)
        assert verdict.distance in (distance, None)
        assert verdict.winner or not verdict.distance
    assert found.winner in (whole.winner, None)
    assert found.distance in (whole.distance, None)
    if found.winner == start.turn and found.distance is not None:
        assert set(found.best) <= set(whole.best)
    assert found.best


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_a_solver_with_a_filled_cache_agrees_with_a_new_one(slug, data):
    game = GAMES[slug]
    states, _ = drawn_match(data, game)
    solver = solver_for(game, states[0], 4_000)
    for state in reversed(states[-3:]):
        fresh, kept = solve(game, state, 4_000), solver.solve(state)
        for one, two in zip(fresh.verdicts, kept.verdicts, strict=True):
            assert None in (one.winner, two.winner) or one.winner == two.winner
            assert None in (one.distance, two.distance) or one.distance == two.distance


def test_an_unsolved_position_has_no_winner():
    state = COLLAPSE.setup(Random(1), size=5)
    solution = solve(COLLAPSE, state, 1_000)
    assert (solution.winner, solution.distance, solution.keeping) == (None, None, ())
    assert {(one.winner, one.distance) for one in solution.verdicts} == {(None, None)}
    assert solution.best == COLLAPSE.legal_moves(state)


def test_a_budget_that_is_enough_for_some_moves_solves_those():
    state = TOWER_DUEL.setup(Random(0), pool=100)
    solution = solve(TOWER_DUEL, state)
    known = {one.move: one.distance for one in solution.verdicts if one.distance is not None}
    # After a prime above 50 only 1 fits, and then another such prime ends the match.
    assert known[97] == 3
    assert len(known) < len(solution.verdicts)
    assert all(one.winner for one in solution.verdicts)
    assert solution.distance == 3
