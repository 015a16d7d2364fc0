"""Pages in German are complete, and shown to readers who choose German or whose browser does."""

import json
import re
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from games.matches import names
from games.matches.database import AWAY
from games.models import Action, Match
from games.rules import GAMES
from tests.words.german import VOCABULARY, foreign

pytestmark = pytest.mark.usefixtures("collected_static")

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-DE,de;q=0.9,en;q=0.8"}


@pytest.fixture(autouse=True)
def english_again(settings):
    # These tests request many pages from one address, which would use up the limits.
    settings.LIMITS = False
    yield
    translation.activate("en")


SHOWN = ("aria-label", "title", "alt", "placeholder")
TOLD_ELSEWHERE = ("description", "og:title", "og:description", "og:image:alt")


class Texts(HTMLParser):
    """All texts of a page, including labels for screen readers and link previews."""

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


PATHS = [
    "/",
    "/watch/",
    "/offline/",
    "/me/arrive/",
    "/me/devices/",
    *(f"/rules/{slug}/" for slug in GAMES),
]


@pytest.mark.parametrize("path", PATHS)
def test_pages_are_in_german(client, path):
    assert_german(client.get(path, **GERMAN))


@pytest.mark.parametrize("slug", GAMES)
def test_the_lesson_on_a_rules_page_is_in_german(client, slug):
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
def test_the_page_of_your_devices_is_in_german(client):
    create(client)
    assert_german(client.get("/me/devices/", **GERMAN))


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("starts", ["me", "friend"])
def test_an_invitation_is_in_german_for_both_players(client, slug, starts):
    path, match = create(client, slug, starts=starts, listed="on", size="larger")
    for person in (client, Client()):
        assert_german(person.get(path, **GERMAN), *people_of(match))


@pytest.mark.django_db
@pytest.mark.parametrize("device", ["link", "same", "computer"])
def test_a_match_and_its_review_are_in_german(client, device):
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
def test_the_page_of_an_ended_invitation_is_in_german(client, status):
    path, match = create(client)
    Match.objects.filter(pk=match.pk).update(status=status)
    assert_german(client.get(path, **GERMAN), *people_of(match))


@pytest.mark.django_db
def test_refusals_are_in_german(client, monkeypatch):
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
def test_error_pages_are_in_german(client, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr("games.web.views.shareable", fail)
    client.raise_request_exception = False
    response = client.get("/", **GERMAN)
    assert response.status_code in (500, 503)
    assert_german(response)


# --- Choosing the language -----------------------------------------------------------------------


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
def test_the_readers_choice_overrides_the_browsers_language(client, asked, chosen, expected):
    if chosen:
        client.cookies["language"] = chosen
    response = client.get("/", HTTP_ACCEPT_LANGUAGE=asked)
    assert language_of(response) == expected
    page = response.content.decode()
    known = dict(settings.LANGUAGES)
    checked = re.findall(r'name="language" value="(\w+)" checked', page)
    assert checked == [chosen if chosen in known else "auto"]


def test_only_german_pages_load_the_german_words_for_scripts(client):
    english, german = (
        client.get("/", HTTP_ACCEPT_LANGUAGE=language).content.decode() for language in ("en", "de")
    )
    assert "js/languages/" not in english
    assert re.search(r'modulepreload" href="/static/js/languages/de\.[0-9a-f]+\.js"', german)


def test_api_and_icons_are_the_same_in_every_language(client, db):
    for path in ("/api/matches/22222222/", "/icons/192-any.png"):
        english, german = (
            client.get(path, HTTP_ACCEPT_LANGUAGE=language) for language in ("en", "de")
        )
        assert english.content == german.content
        assert "Accept-Language" not in german.get("Vary", "")
        assert "Cookie" not in german.get("Vary", "")


@pytest.mark.parametrize("path", ["/", "/rules/chain-factor/"])
def test_the_preview_picture_of_a_german_page_is_in_german_for_everyone(client, path):
    def picture(language):
        page = client.get(path, HTTP_ACCEPT_LANGUAGE=language).content.decode()
        address = re.search(r'og:image" content="https?://[^/]+([^"]+)"', page)[1]
        return client.get(address, HTTP_ACCEPT_LANGUAGE="en")

    german, english = picture("de"), picture("en")
    assert german.status_code == english.status_code == 200
    assert german.content != english.content
    assert "public" in german["Cache-Control"]


def test_a_picture_in_an_unknown_language_is_in_english(client):
    pictures = [client.get(f"/picture.png{query}").content for query in ("", "?language=x'")]
    assert pictures[0] == pictures[1]


def test_each_language_has_its_own_service_worker_and_manifest(client):
    workers = [
        client.get("/service-worker.js", HTTP_ACCEPT_LANGUAGE=language).content
        for language in ("en", "de")
    ]
    assert workers[0] != workers[1]
    manifest = client.get("/manifest.webmanifest", **GERMAN)
    assert manifest.json()["lang"] == "de"
    assert foreign(manifest.json()["description"]) == set()
    assert "Accept-Language" in manifest["Vary"]


def test_the_vocabulary_tells_german_from_english():
    """If it didn't, none of the tests above could fail."""
    assert {"Zahl", "Spieler", "gewinnt"} <= VOCABULARY
    assert foreign("Spieler 1 wins") == {"wins"}
    assert foreign("Nobody is waiting right now.")
