"""The worked examples match the games' descriptions, which were copied here by hand."""

import json
from random import Random

import pytest

from games.catalogue import KITS
from games.catalogue.examples import replay
from games.rules import GAMES
from tests.games import folder_of
from tests.golden import as_text, playthrough, transcript

ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9]

# The legal moves at every turn of the example.
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
    golden = (folder_of(slug) / "playthrough.json").read_text()
    assert as_text(playthrough(KITS[slug])) == golden
    assert json.loads(golden) == json.loads(json.dumps(playthrough(KITS[slug])))
    assert transcript(KITS[slug]) == (folder_of(slug) / "transcript.txt").read_text()


@pytest.mark.parametrize("slug", GAMES)
def test_an_example_is_won_at_its_last_entry_and_not_before(slug):
    game, entries = GAMES[slug], replay(KITS[slug])
    running = [game.outcome(entry.state) is None for entry in entries]
    assert running == [True] * (len(entries) - 1) + [False]


@pytest.mark.parametrize("slug", LEGAL)
def test_player_1_wins_every_example_of_the_descriptions(slug):
    assert GAMES[slug].outcome(replay(KITS[slug])[-1].state).winner == 1


@pytest.mark.parametrize("slug", LEGAL)
def test_an_example_offers_the_choices_its_description_names(slug):
    turns = [turn for turn in playthrough(KITS[slug])["turns"] if "refused" not in turn]
    assert [turn["legal"] for turn in turns] == LEGAL[slug]


def test_the_blossoms_example_refuses_the_entries_that_its_transcript_refuses():
    refused = [entry for entry in replay(KITS["number-blossoms"]) if entry.refused]
    assert [(entry.seat, entry.move) for entry in refused] == [(2, 1), (2, 3), (2, 5)]
    codes = {entry.move: entry.refused for entry in refused}
    assert codes == {1: "must_pass", 3: "must_pass", 5: "own_centre"}


def test_the_collapse_example_scores_and_collapses_as_described():
    states = [entry.state for entry in replay(KITS["number-collapse"])]
    assert [(list(state.cells), state.scores) for state in states] == [
        ([1, 0, 0, 6, 2, 0, 7, 3, 4], (9, 0)),
        ([1, 0, 0, 0, 2, 0, 0, 0, 4], (9, 7)),
        ([1, 0, 0, 0, 2, 0, 0, 0, 0], (13, 7)),
        ([1, 0, 0, 0, 0, 0, 0, 0, 0], (13, 9)),
        ([0, 0, 0, 0, 0, 0, 0, 0, 0], (14, 9)),
    ]


def sequences(game, state):
    """Count the move sequences of every length, and the wins of each seat."""
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


PLAYOUTS = [
    (slug, expected)
    for slug in GAMES
    if (path := folder_of(slug) / "playouts.json").exists()
    for expected in json.loads(path.read_text())
]


@pytest.mark.parametrize(("slug", "expected"), PLAYOUTS)
def test_the_number_of_possible_matches_agrees_with_an_independent_count(slug, expected):
    game = GAMES[slug]
    grid = expected.get("grid")
    state = game.setup_from(grid) if grid else game.setup(Random(0))
    by_depth, wins = sequences(game, state)
    assert by_depth == expected["sequences_by_depth"]
    assert wins == {1: expected["player1_wins"], 2: expected["player2_wins"]}
    assert sum(wins.values()) == expected["total"]
