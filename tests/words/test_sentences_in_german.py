"""Every sentence of the rules and the solver has a German translation."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from django.utils import translation

from games.catalogue import KITS
from games.catalogue.narration import tell
from games.rules import GAMES, IllegalMove, other
from games.sentences import Sentence, to_json
from games.solver import LEVELS, hint, review
from games.words.dictionaries import SOLVER, USUAL, templates_in
from games.words.translation import say
from tests.games import facts_of
from tests.words.german import foreign

ROOT = Path(__file__).parent.parent.parent

NONSENSE = [-1, 0, 7, 25, 400, 10**5000, "pass", "abc", "x" * 50, 3.5, None]
# Scripts may show these. Pages come with the catalogue's sentences already translated.
IN_SCRIPTS = templates_in([*USUAL, *SOLVER])
# A refusal repeats the player's entry unchanged.
ENTERED = ("abc", "x" * 30, "None")


def refusals(game, state):
    for move in NONSENSE:
        for seat in (state.turn, other(state.turn)):
            try:
                game.play(state, seat, move)
            except IllegalMove as refusal:
                yield refusal.text


def told(slug, rng):
    """Yield every sentence of a random match."""
    game = GAMES[slug]
    state = game.setup(rng, **facts_of(slug).random_options(rng))
    while True:
        yield from game.why_not(state).values()
        yield from refusals(game, state)
        yield from KITS[slug].show(state)
        if outcome := game.outcome(state):
            yield outcome.text
            return
        state, events = game.play(state, state.turn, rng.choice(game.legal_moves(state)))
        yield from tell(KITS[slug], events)


def judged(slug, rng):
    """Yield the solver's sentences about a random match, with a budget that may be too small."""
    game, nodes = GAMES[slug], rng.choice([50, 2000, 20000])
    sizes = [{}, {}, *(size.options for size in KITS[slug].sizes)]
    start = state = game.setup(rng, **rng.choice(sizes))
    moves = []
    while game.outcome(state) is None:
        if rng.random() < 0.3:
            yield hint(game, state, nodes).sentence
        moves.append((state.turn, rng.choice(game.legal_moves(state))))
        state = game.play(state, *moves[-1]).state
    found = review(game, start, moves, nodes)
    yield found.summary
    yield from (mark.sentence for mark in found.marks)


def templates_of(sentence):
    """Return the templates in a sentence, its own first."""
    found = [sentence.template, *([sentence.you] if sentence.you else [])]
    for value in sentence.values.values():
        for part in value if isinstance(value, list | tuple) else [value]:
            if isinstance(part, Sentence):
                found += templates_of(part)
    return tuple(found)


@pytest.fixture(scope="module")
def sentences():
    """One sentence of each kind that occurs in thousands of matches, whatever its numbers."""
    kinds = {}
    for slug in GAMES:
        rng = Random(slug)
        for _ in range(500):
            kinds |= {templates_of(sentence): sentence for sentence in told(slug, rng)}
        for _ in range(50):
            kinds |= {templates_of(sentence): sentence for sentence in judged(slug, rng)}
    return list(kinds.values())


def test_every_sentence_in_thousands_of_matches_is_in_german(sentences):
    assert len(sentences) > 100
    with translation.override("de"):
        left = {text: foreign(say(text), *ENTERED) for text in sentences}
    assert {text: words for text, words in left.items() if words} == {}


def test_every_sentence_about_a_player_also_has_a_version_with_you(sentences):
    for sentence in sentences:
        if "player" in sentence.values and sentence.template in IN_SCRIPTS:
            assert sentence.you is not None, sentence.template


def test_every_template_of_the_rules_and_the_solver_is_used(sentences):
    spoken = {template for sentence in sentences for template in templates_of(sentence)}
    opponents = {text for level in LEVELS.values() for text in (level.name, level.computer)}
    unsaid = templates_in(["games.rules", "games.solver"]) - spoken - opponents
    assert unsaid - {level.sentence.template for level in LEVELS.values()} == set()


def test_computer_opponents_are_described_in_german():
    with translation.override("de"):
        for level in LEVELS.values():
            for text in (level.name, level.sentence, level.computer):
                assert say(text) != text
                assert foreign(say(text)) == set()


def test_scripts_and_pages_translate_sentences_alike(sentences):
    node = shutil.which("node")
    if node is None:
        message = "Node is not installed, so the scripts can't be compared with the pages."
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    script = """
      globalThis.document = { documentElement: { lang: "de" } };
      const { gameWords, solverWords } = await import("./static/js/words/translate.js");
      const { said } = await import("./static/js/words/say.js");
      const games = JSON.parse(process.argv[2]);
      await Promise.all([solverWords(), ...games.map(gameWords)]);
      const sentences = JSON.parse(process.argv[1]);
      console.log(JSON.stringify(sentences.map((sentence) => said(null, sentence))));
    """
    known = [text for text in sentences if set(templates_of(text)) <= IN_SCRIPTS]
    assert len(known) > 80
    arguments = [list(map(to_json, known)), list(GAMES)]
    done = subprocess.run(
        [node, "--input-type=module", "-e", script, "--", *map(json.dumps, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    with translation.override("de"):
        assert json.loads(done.stdout) == [say(text) for text in known]


def test_a_sentence_without_a_translation_stays_in_english():
    with translation.override("de"):
        assert say(Sentence("Something {what} happened.", {"what": "new"})) == (
            "Something new happened."
        )
