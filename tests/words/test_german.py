"""German: complete, on every page, and in every sentence that the rules and the solver can make."""

import ast
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from games.catalogue import KITS
from games.catalogue.narration import tell
from games.matches import names
from games.matches.database import AWAY
from games.models import Action, Match
from games.rules import GAMES, IllegalMove, other
from games.solver import LEVELS, hint, review
from games.words.phrases import (
    LISTS,
    PHRASES,
    RULES,
    SCRIPTS,
    SOLVER,
    STATIC,
    browser_words,
    own_texts,
    translated,
)
from games.words.phrases import compiled as compile_phrase
from tests.games import facts_of
from tests.words.german import DOMAINS, FOLDER, PLACEHOLDER, VOCABULARY, compiled, entries, foreign

ROOT = Path(__file__).parent.parent.parent
GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-DE,de;q=0.9,en;q=0.8"}


@pytest.fixture(scope="module", autouse=True)
def collected():
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture(autouse=True)
def english_again(settings):
    # One address asks for so many pages here that other tests would feel it.
    settings.LIMITS = False
    yield
    translation.activate("en")


# --- The catalogue -----------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_text_has_a_translation_and_none_is_a_guess(domain):
    assert len(entries(domain)) > 100
    assert [text for _, text, meaning in entries(domain) if not meaning.strip()] == []
    assert [text for flags, text, _ in entries(domain) if "fuzzy" in flags] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_is_compiled_is_what_is_written(domain):
    assert compiled(domain) == {text: meaning for _, text, meaning in entries(domain)}
    assert (FOLDER / f"{domain}.mo").exists()


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_translation_has_the_placeholders_of_its_text_and_no_shouting(domain):
    for _, text, meaning in entries(domain):
        assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(meaning)), text
        assert "!" not in meaning


def test_every_text_of_templates_pages_and_scripts_is_in_the_catalogue():
    templates = [path.read_text() for path in (ROOT / "templates").rglob("*.html")]
    in_tags = [
        text
        for template in templates
        for _, text in re.findall(r"""(?:translate |_\()(["'])(.+?)\1""", template)
    ]
    assert len(in_tags) > 150
    assert set(in_tags) | set(PHRASES) <= set(compiled("django"))
    own = set().union(*(own_texts(path) for path in STATIC.rglob("*.js")))
    assert own == set(compiled("djangojs"))


def test_the_words_of_the_scripts_are_written_anew_when_the_catalogue_changes():
    """`make messages` does it."""
    written = {path.name: path.read_text() for path in (SCRIPTS / "languages").iterdir()}
    assert written == browser_words("de")


def test_scripts_say_nothing_that_is_not_translated():
    """Two words in a row in quotes are always the argument of gettext."""
    sentence = re.compile(r"""(["'`])[A-Z][a-z]* ?[a-z]+ [^"'`]*\1""")
    for path in STATIC.rglob("*.js"):
        if "languages" in path.parts:
            continue
        for line in path.read_text().splitlines():
            code = re.sub(r"(^|\s)(//|/\*\*|\*).*|throw new Error\(.*", "", line)
            said = [found[0][1:-1] for found in sentence.finditer(code)]
            assert set(said) <= own_texts(path), path.name


# --- What the rules and the solver say -----------------------------------------------------------

NONSENSE = [-1, 0, 7, 25, 400, 10**5000, "pass", "abc", "x" * 50, 3.5, None]


def refusals(game, state):
    for move in NONSENSE:
        for seat in (state.turn, other(state.turn)):
            try:
                game.play(state, seat, move)
            except IllegalMove as refusal:
                yield refusal.text


def told(slug, rng):
    """All that scripts show of a random match, and all that an example shows of it on its page."""
    game = GAMES[slug]
    state = game.setup(rng, **facts_of(slug).random_options(rng))
    shown, written = [], []
    while True:
        shown += [*game.why_not(state).values(), *refusals(game, state)]
        written += KITS[slug].show(state)
        if outcome := game.outcome(state):
            return [*shown, outcome.text], written
        state, events = game.play(state, state.turn, rng.choice(game.legal_moves(state)))
        written += tell(KITS[slug], events)


def judged(slug, rng):
    """What the solver says of a random match, with a budget that may not suffice."""
    game, nodes = GAMES[slug], rng.choice([50, 2000, 20000])
    larger = KITS[slug].options_of("larger")
    start = state = game.setup(rng, **rng.choice([{}, {}, larger]))
    moves, shown = [], []
    while game.outcome(state) is None:
        if rng.random() < 0.3:
            shown.append(hint(game, state, nodes).sentence)
        moves.append((state.turn, rng.choice(game.legal_moves(state))))
        state = game.play(state, *moves[-1]).state
    found = review(game, start, moves, nodes)
    return [*shown, found.summary, *(mark.sentence for mark in found.marks)]


def kinds(sentences):
    """One sentence of each kind: which numbers it names makes no difference."""
    return {re.sub(r"\d+", "#", text): text for text in sentences if text}


@pytest.fixture(scope="module")
def said():
    """A sentence of every kind in thousands of matches: in scripts, and in examples on pages."""
    in_scripts, on_pages = {}, {}
    for slug in GAMES:
        rng = Random(slug)
        for _ in range(500):
            shown, written = told(slug, rng)
            in_scripts |= kinds(shown)
            on_pages |= kinds(written)
        for _ in range(50):
            in_scripts |= kinds(judged(slug, rng))
    return list(in_scripts.values()), list(on_pages.values())


def as_its_reader_hears_it(text, seat):
    """What say.js makes of it before it translates."""

    def you(match):
        return ("your" if match[1] else "you") + (" win" if match[2] else "")

    return re.sub(rf"Player {seat}('s)?( wins)?", you, text)


# What was entered is said again as it is.
ENTERED = ("abc", "x" * 29, "None")


def test_every_sentence_of_thousands_of_matches_is_german(said):
    in_scripts, on_pages = said
    assert len(in_scripts) > 150
    assert len(on_pages) > 250
    with translation.override("de"):
        left = {text: foreign(translated(text), *ENTERED) for text in in_scripts + on_pages}
    assert {text: words for text, words in left.items() if words} == {}


def test_and_so_it_is_for_the_one_whom_it_is_about(said):
    about = [text for text in said[0] if "Player" in text]
    assert len(about) > 80
    with translation.override("de"):
        for text in about:
            heard = [as_its_reader_hears_it(text, seat) for seat in (1, 2)]
            assert [one for one in heard if foreign(translated(one))] == []


def test_no_phrase_is_for_a_sentence_that_nobody_says(said):
    heard = [as_its_reader_hears_it(text, seat) for text in said[0] for seat in (1, 2)]
    spoken = "\n".join([*said[0], *heard])
    unsaid = [
        phrase
        for phrase in (*LISTS, *RULES, *SOLVER)
        if not re.search(compile_phrase(phrase).recognise.pattern, spoken, re.IGNORECASE)
    ]
    assert unsaid == []


def test_opponents_are_german():
    with translation.override("de"):
        for level in LEVELS.values():
            for text in (level.name, level.sentence, f"{level.name} computer"):
                assert translated(text) != text
                assert foreign(translated(text)) == set()


def test_browsers_translate_as_pages_do(said):
    node = shutil.which("node")
    if node is None:
        message = "There is no Node here, so the scripts cannot be compared with the pages."
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    texts = [*said[0], *(as_its_reader_hears_it(text, 1) for text in said[0])]
    script = """
      globalThis.document = { documentElement: { lang: "de" } };
      const { solverWords, translated } = await import("./static/js/words/translate.js");
      await solverWords();
      const texts = JSON.parse(process.argv[1]);
      console.log(JSON.stringify(texts.map(translated)));
    """
    done = subprocess.run(
        [node, "--input-type=module", "-e", script, "--", json.dumps(texts)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    with translation.override("de"):
        on_pages = [translated(text) for text in texts]
    in_browsers = [re.sub("Player ([12])", r"Spieler \1", text) for text in json.loads(done.stdout)]
    assert in_browsers == on_pages


def test_an_unknown_sentence_stays_as_it_is():
    with translation.override("de"):
        assert translated("Something new happened.") == "Something new happened."
        assert translated("Ada's computer") == "Ada's computer"


# --- What the server refuses ---------------------------------------------------------------------

# Who writes programs reads English; no page of ours can cause these.
FOR_PROGRAMS = (
    "The option ",
    "There is no option ",
    "A grid ",
    "A message ",
    "Messages are ",
    "The type of a message ",
    "The request is not ",
    "This address takes ",
    "Ask for ?open=1",
    "Send a token ",
    "This token is not ",
    "There is no such address ",
    "There is no such game",
    "Who starts must ",
    "The computer plays as ",
    "On one device two people ",
    "The version must ",
    "At most 7 moves ",
    "7.",
)


def texts_of(node):
    """A string as it may come out: an f-string with a number in each of its holes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
        return ["".join(map(str, parts))]
    return []


def refusing(source):
    """Every sentence with which a module says no."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("Refused", "Rejected", "BadMessage", "close"):
                yield from (text for arg in node.args for text in texts_of(arg))
        elif isinstance(node, ast.Assign):
            targets = [
                getattr(target, "id", getattr(target, "attr", "")) for target in node.targets
            ]
            if {"text", "TEXT"} & set(targets):
                yield from texts_of(node.value)


def test_every_refusal_that_people_can_see_is_german():
    found = {
        text
        for path in (ROOT / "games").rglob("*.py")
        if not {"rules", "solver", "management", "health.py", "phrases.py"} & set(path.parts)
        for text in refusing(path.read_text())
        if text.endswith(".") and not text.startswith(FOR_PROGRAMS)
    }
    assert len(found) > 25
    with translation.override("de"):
        assert {text for text in found if foreign(translated(text))} == set()


# --- The pages -----------------------------------------------------------------------------------

SHOWN = ("aria-label", "title", "alt", "placeholder")
TOLD_ELSEWHERE = ("description", "og:title", "og:description", "og:image:alt")


class Texts(HTMLParser):
    """All that a page shows, reads out or tells those who show its link."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside, self.language = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "html":
            self.language = given["lang"]
        self.found += [given[name] for name in SHOWN if given.get(name)]
        if tag == "meta" and given.get("name", given.get("property")) in TOLD_ELSEWHERE:
            self.found.append(given["content"])
        if tag in ("script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside and data.strip():
            self.found.append(data)


def assert_german(response, *people):
    page = Texts(response.content.decode())
    assert page.language == "de"
    assert response["Content-Language"] == "de"
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))
    assert len(page.found) > 10
    assert {text: foreign(text, *people) for text in page.found if foreign(text, *people)} == {}


PATHS = ["/", "/watch/", "/offline/", *(f"/rules/{slug}/" for slug in GAMES)]


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_german(client, path):
    assert_german(client.get(path, **GERMAN))


@pytest.mark.parametrize("slug", GAMES)
def test_the_lesson_on_a_rules_page_is_german(client, slug):
    page = client.get(f"/rules/{slug}/", **GERMAN).content.decode()
    lesson = json.loads(re.search(r'<script id="lesson"[^>]*>(.+?)</script>', page)[1])
    places = [lesson["start"], *lesson["steps"]]
    texts = [place["text"] for place in lesson["steps"]]
    texts += [text for place in places for text in place["why"].values()]
    assert len(texts) >= len(lesson["steps"]) > 0
    assert {text for text in texts if foreign(text)} == set()


def create(client, game="number-tower-duel", **choices):
    path = client.post("/new/", {"game": game, **choices})["Location"]
    match = Match.objects.get(pk=path.split("/")[2])
    return path, match


def people_of(match):
    match.refresh_from_db()
    return [guest.name for guest in (match.seat_1, match.seat_2) if guest and not guest.level]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("starts", ["me", "friend"])
def test_an_invitation_is_german_on_both_sides(client, slug, starts):
    path, match = create(client, slug, starts=starts, listed="on", size="larger")
    for person in (client, Client()):
        assert_german(person.get(path, **GERMAN), *people_of(match))


@pytest.mark.django_db
@pytest.mark.parametrize("device", ["link", "same", "computer"])
def test_a_match_and_its_review_are_german(client, device):
    path, match = create(client, device=device, starts="me")
    if device == "link":
        Client().post(f"{path}join/", {"name": "Ada"})
    assert_german(client.get(path, **GERMAN), *people_of(match), "Ada")
    for version, move in enumerate((6, 3, 9, 1, 5), 1):
        Action.objects.create(
            match=match, version=version, seat=2 - version % 2, move=str(move), time=1.0
        )
    Match.objects.filter(pk=match.pk).update(status="finished", winner=1)
    for page in (path, f"{path}review/"):
        assert_german(client.get(page, **GERMAN), *people_of(match), "Ada")


@pytest.mark.django_db
@pytest.mark.parametrize("status", ["cancelled", "expired"])
def test_an_invitation_that_has_ended_is_german(client, status):
    path, match = create(client)
    Match.objects.filter(pk=match.pk).update(status=status)
    assert_german(client.get(path, **GERMAN), *people_of(match))


@pytest.mark.django_db
def test_pages_that_refuse_are_german(client, monkeypatch):
    assert_german(client.get("/nothing/", **GERMAN))
    assert_german(client.get("/m/22222222/", **GERMAN))
    assert_german(client.post("/new/", {"game": "chess"}, **GERMAN))
    path, _ = create(client)
    long = "x" * (names.LONGEST + 1)
    assert_german(Client().post(f"{path}join/", {"name": long}, **GERMAN))
    assert_german(Client().post(f"{path}cancel/", **GERMAN))
    strict = Client(enforce_csrf_checks=True)
    assert_german(strict.post("/new/", {"game": "chain-factor"}, **GERMAN))
    monkeypatch.setattr("games.matches.limits.Limit.allows", lambda *_: False)
    assert_german(client.post("/new/", {"game": "chain-factor"}, **GERMAN))
    assert_german(client.get("/m/22222222/", **GERMAN))


@pytest.mark.parametrize("error", [AWAY[0]("gone"), RuntimeError("a broken page")])
def test_a_page_that_fails_is_german(client, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr("games.web.views.shareable", fail)
    client.raise_request_exception = False
    response = client.get("/", **GERMAN)
    assert response.status_code in (500, 503)
    assert_german(response)


# --- Which language ------------------------------------------------------------------------------


def language_of(response):
    return Texts(response.content.decode()).language


@pytest.mark.parametrize(
    ("asked", "chosen", "expected"),
    [
        ("", None, "en"),
        ("de", None, "de"),
        ("de-AT,de;q=0.9", None, "de"),
        ("fr,de;q=0.5", None, "de"),
        ("fr", None, "en"),
        ("en-GB,de;q=0.5", None, "en"),
        ("en", "de", "de"),
        ("de", "en", "en"),
        ("de", "tlh", "de"),
        ("en", "../../de", "en"),
    ],
)
def test_what_was_chosen_comes_before_what_the_browser_asks_for(client, asked, chosen, expected):
    if chosen:
        client.cookies["language"] = chosen
    response = client.get("/", HTTP_ACCEPT_LANGUAGE=asked)
    assert language_of(response) == expected
    page = response.content.decode()
    known = dict(settings.LANGUAGES)
    checked = re.findall(r'name="language" value="(\w+)" checked', page)
    assert checked == [chosen if chosen in known else "auto"]


def test_words_for_scripts_come_with_german_pages_alone(client):
    english, german = (
        client.get("/", HTTP_ACCEPT_LANGUAGE=language).content.decode() for language in ("en", "de")
    )
    assert "js/languages/" not in english
    assert re.search(r'modulepreload" href="/static/js/languages/de\.[0-9a-f]+\.js"', german)


def test_programs_and_pictures_are_the_same_in_every_language(client, db):
    for path in ("/api/matches/22222222/", "/icons/192-any.png"):
        english, german = (
            client.get(path, HTTP_ACCEPT_LANGUAGE=language) for language in ("en", "de")
        )
        assert english.content == german.content
        assert "Accept-Language" not in german.get("Vary", "")
        assert "Cookie" not in german.get("Vary", "")


@pytest.mark.parametrize("path", ["/", "/rules/chain-factor/"])
def test_the_picture_of_a_german_page_is_german_for_whoever_fetches_it(client, path):
    def picture(language):
        page = client.get(path, HTTP_ACCEPT_LANGUAGE=language).content.decode()
        address = re.search(r'og:image" content="https?://[^/]+([^"]+)"', page)[1]
        return client.get(address, HTTP_ACCEPT_LANGUAGE="en")

    german, english = picture("de"), picture("en")
    assert german.status_code == english.status_code == 200
    assert german.content != english.content
    assert "public" in german["Cache-Control"]


def test_a_picture_in_no_language_of_ours_is_english(client):
    pictures = [client.get(f"/picture.png{query}").content for query in ("", "?language=x'")]
    assert pictures[0] == pictures[1]


def test_another_language_is_another_worker_and_another_manifest(client):
    workers = [
        client.get("/service-worker.js", HTTP_ACCEPT_LANGUAGE=language).content
        for language in ("en", "de")
    ]
    assert workers[0] != workers[1]
    manifest = client.get("/manifest.webmanifest", **GERMAN)
    assert manifest.json()["lang"] == "de"
    assert foreign(manifest.json()["description"]) == set()
    assert "Accept-Language" in manifest["Vary"]


def test_the_vocabulary_knows_german_from_english():
    """Otherwise nothing above could fail."""
    assert {"Zahl", "Spieler", "gewinnt"} <= VOCABULARY
    assert foreign("Spieler 1 wins") == {"wins"}
    assert foreign("Nobody is waiting right now.")
