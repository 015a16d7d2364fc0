"""Computer opponents play as well as their level says."""

from random import Random

import pytest

from games.rules import GAMES, PASS
from games.rules.blossoms import BLOSSOMS
from games.rules.last_number import TOWER_DUEL
from games.solver import LEVELS, can_play, choose, solve
from tests.solver.exhaustive import after
from tests.solver.test_hint import numbers

START = TOWER_DUEL.setup(Random(0))
ROUNDS = 2_000


def test_levels_go_from_weak_to_perfect():
    rates = [level.perfect / level.of for level in LEVELS.values()]
    assert rates == sorted(set(rates))
    assert rates[-1] == 1
    assert all(level.slug == slug for slug, level in LEVELS.items())


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_level_plays_the_best_move_as_often_as_it_says(level):
    # After 3 there are 1 and 9, and only 9 wins, so half of the random moves are right too.
    state = after(TOWER_DUEL, START, 6, 3)
    assert solve(TOWER_DUEL, state).best == (9,)
    assert TOWER_DUEL.legal_moves(state) == (1, 9)
    rng = Random(17)
    right = sum(choose(TOWER_DUEL, state, level, rng) == 9 for _ in range(ROUNDS))
    rate = level.perfect / level.of
    expected = rate + (1 - rate) / 2
    # Four standard deviations.
    assert abs(right / ROUNDS - expected) <= 4 * (expected * (1 - expected) / ROUNDS) ** 0.5


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("number-tower-duel", {"pool": 100}),
        ("number-eliminator", {"pool": 100}),
        ("chain-factor", {"pool": 100}),
        ("number-blossoms", {"pool": 20}),
        ("number-blossoms", {"pool": 20, "petals": 8}),
        ("number-collapse", {"size": 4}),
        ("number-collapse", {"size": 5}),
    ],
)
def test_the_computer_plays_exactly_the_boards_that_it_can_solve_from_the_start(slug, options):
    state = GAMES[slug].setup(Random(5), **options)
    assert can_play(GAMES[slug], state) == (solve(GAMES[slug], state).winner is not None)


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_level_says_how_often_it_is_perfect(level):
    expected = [] if level.perfect == level.of else [level.perfect, level.of]
    assert numbers(level.sentence) == expected


def test_a_weak_level_sometimes_plays_each_legal_move():
    rng = Random(2)
    chosen = {choose(TOWER_DUEL, START, LEVELS["beginner"], rng) for _ in range(300)}
    assert chosen == set(TOWER_DUEL.legal_moves(START))


def test_the_same_seed_gives_the_same_moves():
    def moves(seed):
        rng = Random(seed)
        return [choose(TOWER_DUEL, START, LEVELS["casual"], rng) for _ in range(20)]

    assert moves(3) == moves(3)
    assert moves(3) != moves(4)


def test_every_level_plays_a_forced_pass():
    state = after(BLOSSOMS, BLOSSOMS.setup(Random(0)), 6, 5, 2)
    assert BLOSSOMS.legal_moves(state) == (PASS,)
    for level in LEVELS.values():
        assert choose(BLOSSOMS, state, level, Random(0)) == PASS


@pytest.mark.parametrize("slug", GAMES)
def test_the_perfect_level_never_gives_a_win_away(slug):
    game = GAMES[slug]
    for seed in range(20):
        rng = Random(seed)
        state = game.setup(rng)
        while (outcome := game.outcome(state)) is None:
            level = LEVELS["perfect" if state.turn == 1 else "beginner"]
            state = game.play(state, state.turn, choose(game, state, level, rng)).state
        assert outcome.winner == 1


def test_the_perfect_level_holds_out_as_long_as_possible_in_a_lost_match():
    state = after(TOWER_DUEL, START, 6, 2)
    solution = solve(TOWER_DUEL, state)
    assert solution.winner == 2
    longest = max(verdict.distance for verdict in solution.verdicts)
    chosen = choose(TOWER_DUEL, state, LEVELS["perfect"], Random(0))
    assert {one.move: one.distance for one in solution.verdicts}[chosen] == longest
    assert min(verdict.distance for verdict in solution.verdicts) < longest
