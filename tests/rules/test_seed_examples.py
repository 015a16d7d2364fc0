"""What the games' descriptions say of their worked examples, taken down by hand."""

import json
from random import Random

import pytest

from games.catalogue.examples import replay
from games.rules import GAMES
from tests.golden import FOLDER, as_text, playthrough, transcript

ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9]

# What may be played at every turn of the example.
LEGAL = {
    "number-tower-duel": [ALL, [1, 2, 3], [1, 9], [1], [2, 4, 5, 7, 8]],
    "number-eliminator": [ALL, [1, 2, 3], [1, 9], [1], [2, 4, 5, 7, 8], [2, 8], [8]],
    "chain-factor": [
        ALL,
        [1, 2, 3, 4, 5, 6, 8, 9],
        [1, 5],
        [1, 2, 3, 4, 8, 9],
        [1, 2, 4, 8],
        [1, 3],
        [1, 2, 4],
        [1],
        [2],
    ],
    "number-collapse": [ALL, [1, 4, 5, 7, 8, 9], [1, 5, 9], [1, 5], [1]],
    "number-blossoms": [
        ALL,
        [1, 2, 3, 4, 5, 7, 8, 9],
        [2, 3, 4, 8, 9],
        ["pass"],
        [3, 4, 8, 9],
        ["pass"],
        [4, 8, 9],
        ["pass"],
        [4, 8],
    ],
}


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_a_golden_playthrough_and_transcript(slug):
    golden = (FOLDER / f"{slug}.json").read_text()
    assert as_text(playthrough(slug)) == golden
    assert json.loads(golden) == json.loads(json.dumps(playthrough(slug)))
    assert transcript(slug) == (FOLDER / f"{slug}.txt").read_text()


@pytest.mark.parametrize("slug", GAMES)
def test_an_example_is_won_at_its_last_entry_and_not_before(slug):
    game, entries = GAMES[slug], replay(slug)
    running = [game.outcome(entry.state) is None for entry in entries]
    assert running == [True] * (len(entries) - 1) + [False]


@pytest.mark.parametrize("slug", LEGAL)
def test_player_1_wins_every_example_of_the_descriptions(slug):
    assert GAMES[slug].outcome(replay(slug)[-1].state).winner == 1


@pytest.mark.parametrize("slug", LEGAL)
def test_an_example_offers_the_choices_its_description_names(slug):
    turns = [turn for turn in playthrough(slug)["turns"] if "refused" not in turn]
    assert [turn["legal"] for turn in turns] == LEGAL[slug]


def test_the_blossoms_example_refuses_what_its_transcript_refuses():
    refused = [(entry.seat, entry.move) for entry in replay("number-blossoms") if entry.refused]
    assert refused == [(2, 1), (2, 3), (2, 5)]
    codes = {entry.move: entry.refused for entry in replay("number-blossoms") if entry.refused}
    assert codes == {1: "must_pass", 3: "must_pass", 5: "own_centre"}


def test_the_collapse_example_scores_and_collapses_as_described():
    boards = [(list(entry.state.cells), entry.state.scores) for entry in replay("number-collapse")]
    assert boards == [
        ([1, 0, 0, 6, 2, 0, 7, 3, 4], (9, 0)),
        ([1, 0, 0, 0, 2, 0, 0, 0, 4], (9, 7)),
        ([1, 0, 0, 0, 2, 0, 0, 0, 0], (13, 7)),
        ([1, 0, 0, 0, 0, 0, 0, 0, 0], (13, 9)),
        ([0, 0, 0, 0, 0, 0, 0, 0, 0], (14, 9)),
    ]


def sequences(game, state):
    """The number of move sequences at every depth, and the wins of each seat at their ends."""
    by_depth, wins, layer = [], {1: 0, 2: 0}, [state]
    while layer:
        by_depth.append(len(layer))
        following = []
        for one in layer:
            if outcome := game.outcome(one):
                wins[outcome.winner] += 1
            following += [game.play(one, one.turn, move).state for move in game.legal_moves(one)]
        layer = following
    return by_depth, wins


@pytest.mark.parametrize(
    "expected", json.loads((FOLDER / "playouts.json").read_text()), ids=lambda one: one["game"]
)
def test_all_matches_of_a_game_are_as_many_as_counted_elsewhere(expected):
    game = GAMES[expected["game"]]
    grid = expected.get("grid")
    state = game.setup_from(grid) if grid else game.setup(Random(0))
    by_depth, wins = sequences(game, state)
    assert by_depth == expected["sequences_by_depth"]
    assert wins == {1: expected["player1_wins"], 2: expected["player2_wins"]}
    assert sum(wins.values()) == expected["total"]
