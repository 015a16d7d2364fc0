"""Solving the last-number games by matching, on pools small and large."""

from functools import cache
from random import Random

import pytest

from games.rules.last_number import CHAIN_FACTOR, TOWER_DUEL, followers
from games.rules.numbers import bits, members, one_to
from games.solver import solve
from games.solver.matching import Fitting
from tests.solver.exhaustive import random_position

GAMES = pytest.mark.parametrize("game", [TOWER_DUEL, CHAIN_FACTOR], ids=lambda game: game.slug)


def search_in(game, pool):
    """Return a plain search: does the player to move win, given the last number and those left?"""
    fitting = followers(game.relation, pool)

    @cache
    def wins(last, left):
        return any(
            not wins(number, left & ~(1 << number)) for number in members(left & fitting[last])
        )

    return wins


def by_search(wins, state):
    left = {number: state.remaining & ~(1 << number) for number in members(state.playable)}
    return tuple(number for number in left if not wins(number, left[number]))


@GAMES
@pytest.mark.parametrize("pool", range(10, 17))
def test_matching_and_search_agree_on_pools_of_10_to_16(game, pool):
    rng, wins = Random(pool), search_in(game, pool)
    for opening in ("any", "even"):
        start = game.setup(rng, pool=pool, opening=opening)
        states = [random_position(game, start, rng, rng.randrange(pool)) for _ in range(60)]
        for state in {start, *states}:
            assert solve(game, state, 0).keeping == by_search(wins, state), state.played


@GAMES
@pytest.mark.parametrize("pool", [25, 50, 100])
def test_matching_and_search_agree_on_the_last_numbers_of_large_pools(game, pool):
    rng, wins = Random(pool), search_in(game, pool)
    for _ in range(100):
        played = rng.sample(range(1, pool + 1), pool - 10)
        state = game.from_json({"pool": pool, "opening": "any", "played": played})
        assert solve(game, state, 0).keeping == by_search(wins, state), played


@GAMES
@pytest.mark.parametrize("pool", [20, 51, 99, 100])
def test_the_verdict_on_a_move_equals_the_verdict_on_the_position_after_it(game, pool):
    rng = Random(pool)
    state = random_position(game, game.setup(rng, pool=pool), rng, rng.randrange(6))
    verdicts = solve(game, state, 0).verdicts
    for verdict in rng.sample(verdicts, min(8, len(verdicts))):
        following = game.play(state, state.turn, verdict.move).state
        assert solve(game, following, 0).winner == verdict.winner


@GAMES
def test_always_answering_with_the_partner_wins(game):
    rng = Random(9)
    for pool in (9, 25, 61, 99):
        start = game.setup(rng, pool=pool)
        solution = solve(game, start, 0)
        assert solution.keeping
        move = rng.choice(solution.keeping)
        state = game.play(start, 1, move).state
        partner = Fitting(state.remaining, followers(game.relation, pool)).partners()
        while (outcome := game.outcome(state)) is None:
            move = rng.choice(game.legal_moves(state)) if state.turn == 2 else partner[move]
            state = game.play(state, state.turn, move).state
        assert outcome.winner == 1


def test_a_perfect_matching_can_spare_no_number():
    fitting = followers(CHAIN_FACTOR.relation, 10)
    assert Fitting(one_to(10), fitting).spare(one_to(10)) == 0


def test_a_cycle_of_odd_length_can_spare_each_of_its_numbers():
    # 1 fits 2, 2 fits 3, 3 fits 1: a blossom, where alternating paths alone give a wrong answer.
    triangle = [0, bits((2, 3)), bits((1, 3)), bits((1, 2))]
    assert Fitting(one_to(3), triangle).spare(one_to(3)) == one_to(3)


def test_only_the_candidates_are_checked():
    star = [0, bits((2, 3, 4)), 2, 2, 2]
    assert Fitting(one_to(4), star).spare(bits((1, 3))) == bits((3,))
