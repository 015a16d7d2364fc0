"""A hint names a good move, and what it says about the move is true."""

import json
import re
from dataclasses import asdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import GAMES, PASS
from games.rules.blossoms import BLOSSOMS
from games.rules.collapse import COLLAPSE, Collapse
from games.rules.last_number import CHAIN_FACTOR, TOWER_DUEL
from games.solver import hint, solve
from tests.rules.test_properties import drawn_match
from tests.solver.exhaustive import after

EXAMPLE = [1, 5, 9, 6, 2, 8, 7, 3, 4]


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_a_hint_is_a_best_move_with_a_sentence(slug, data):
    game = GAMES[slug]
    states, _ = drawn_match(data, game)
    running = [state for state in states if game.outcome(state) is None]
    state = running[-1]
    given = hint(game, state, 2_000)
    solution = solve(game, state, 2_000)
    assert given.move in solution.best
    assert (given.winner, given.distance) == (solution.winner, solution.distance)
    assert given.sentence.endswith(".")
    assert json.loads(json.dumps(asdict(given))) == asdict(given)


def test_the_first_hint_in_tower_duel_names_all_moves_to_the_win():
    given = hint(TOWER_DUEL, TOWER_DUEL.setup(Random(0)))
    assert (given.move, given.winner, given.distance) == (5, 1, 3)
    assert numbers(given.sentence) == [5, 1, 1, 7]


def test_if_there_is_only_one_reply_the_hint_also_names_the_answer_to_it():
    state = after(TOWER_DUEL, TOWER_DUEL.setup(Random(0), pool=100), 67, 1, 24, 8, 4, 44, 88, 11)
    given = hint(TOWER_DUEL, state)
    move, reply, answer = numbers(given.sentence)
    assert given.move == move == 55
    assert TOWER_DUEL.legal_moves(after(TOWER_DUEL, state, move)) == (reply,)
    assert answer in solve(TOWER_DUEL, after(TOWER_DUEL, state, move, reply)).keeping


@pytest.mark.parametrize("game", [TOWER_DUEL, CHAIN_FACTOR], ids=lambda game: game.slug)
@pytest.mark.parametrize("seed", range(15))
def test_every_answer_that_a_hint_names_wins(game, seed):
    rng = Random(seed)
    state = game.setup(rng, pool=rng.randrange(9, 60))
    while game.outcome(state) is None:
        given = hint(game, state, 0)
        for reply, answer in re.findall(r"(\d+) with (\d+)", given.sentence):
            following = after(game, state, given.move, int(reply))
            assert int(answer) in solve(game, following, 0).keeping
        state = after(game, state, rng.choice(game.legal_moves(state)))


def test_a_move_that_ends_the_match_says_why():
    given = hint(TOWER_DUEL, after(TOWER_DUEL, TOWER_DUEL.setup(Random(0)), 5, 1))
    assert (given.move, given.distance) == (7, 1)
    assert numbers(given.sentence)[0] == 7
    final = after(TOWER_DUEL, TOWER_DUEL.setup(Random(0)), 5, 1, 7)
    assert TOWER_DUEL.outcome(final).text in given.sentence


def test_a_hint_mentions_that_a_petal_fits_both_centres():
    start = BLOSSOMS.setup(Random(0))
    assert "centres" in hint(BLOSSOMS, after(BLOSSOMS, start, 4, 6, 2)).sentence
    # No petal fits both 5 and 6.
    assert "centres" not in hint(BLOSSOMS, after(BLOSSOMS, start, 6, 5)).sentence


def test_a_hint_for_a_centre_names_the_petals_that_fit_it():
    given = hint(BLOSSOMS, BLOSSOMS.setup(Random(0)))
    assert numbers(given.sentence)[:6] == [6, 2, 3, 4, 8, 9]


def test_hints_in_collapse_name_numbers_instead_of_positions():
    given = hint(COLLAPSE, COLLAPSE.setup_from(EXAMPLE))
    assert given.move == 6
    assert numbers(given.sentence)[:5] == [8, 2, 4, 2, 9]


def test_a_hint_does_not_mention_collapsing_if_nothing_collapses():
    state = COLLAPSE.from_json(
        {
            "size": 3,
            "target": 15,
            "cells": [4, 0, 0, 0, 0, 0, 3, 0, 2],
            "scores": [9, 8],
            "turn": 1,
        }
    )
    given = hint(COLLAPSE, state)
    assert numbers(given.sentence)[:3] == [state.cells[given.move - 1], 2, 3]


def test_in_a_lost_position_the_hint_names_the_move_that_holds_out_longest():
    state = after(TOWER_DUEL, TOWER_DUEL.setup(Random(0)), 6, 2)
    given = hint(TOWER_DUEL, state)
    assert given.winner == 2
    assert numbers(given.sentence) == [given.move]
    longest = max(solve(TOWER_DUEL, state).verdicts, key=lambda verdict: verdict.distance)
    assert given.distance == longest.distance


def test_the_hint_in_a_lost_position_does_not_claim_distances_it_does_not_know():
    state = CHAIN_FACTOR.setup(Random(0), pool=100)
    given = hint(CHAIN_FACTOR, state)
    assert (given.winner, given.distance) == (2, None)
    assert given.sentence != hint(CHAIN_FACTOR, CHAIN_FACTOR.setup(Random(0), pool=10)).sentence


def test_an_unsolved_position_gives_a_legal_move_and_no_winner():
    state = COLLAPSE.setup(Random(1), size=5)
    given = hint(COLLAPSE, state, 100)
    assert given.winner is None
    assert given.move in COLLAPSE.legal_moves(state)


def test_a_forced_pass_is_the_hint():
    state = after(BLOSSOMS, BLOSSOMS.setup(Random(0)), 6, 5, 2)
    assert hint(BLOSSOMS, state).move == PASS


class NewGame(Collapse):
    """A game without its own solver."""


@pytest.mark.parametrize("nodes", [10**9, 1_000])
def test_a_game_without_its_own_hint_sentences_still_gets_hints(nodes):
    game = NewGame()
    state = game.setup_from(EXAMPLE)
    given = hint(game, state, nodes)
    assert given.winner == 1
    assert (given.distance is None) == (nodes < 10**9)
    assert numbers(given.sentence)
