"""Page weight: sizes, round trips, caching, and layout shifts while loading."""

import gzip
import re
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.e2e.conftest import meeting
from tests.e2e.seats import Seats
from tests.e2e.test_phone import RECORD_SHIFTS
from tests.live.client import new_guest, new_match, new_pair
from tests.serving import serving

# Maximum bytes of a page's HTML, styles and scripts together, uncompressed.
LIMIT = 120_000

PAGES = ["lobby", "rules", "invitation", "match", "devices"]


def path_of(server, page):
    """Return the path of a page, with a new match each time."""
    fixed = {"lobby": "/", "rules": "/rules/number-blossoms/", "devices": "/me/devices/"}
    if page in fixed:
        return fixed[page]
    if page == "invitation":
        return f"/m/{new_match(server, new_guest(server))}/"
    return f"/m/{new_pair(server, 'number-blossoms')[0]}/"


class Answer(NamedTuple):
    """A response that a page received."""

    name: str
    kind: str
    is_static: bool
    headers: dict[str, str]
    body: bytes


@pytest.fixture(scope="module")
def answers(browser, server):
    """All responses, by page."""
    found = {}
    for page in PAGES:
        with meeting(browser, server) as meet:
            person, came = meet(), []
            person.page.on("response", lambda answer, came=came: came.append(answer))
            person.visit(path_of(server, page))
            person.page.wait_for_load_state("networkidle")
            found[page] = [
                Answer(
                    answer.url.rsplit("/", 1)[1],
                    answer.request.resource_type,
                    "/static/" in answer.url,
                    answer.headers,
                    answer.body(),
                )
                for answer in came
            ]
    return found


def html_of(answers):
    return next(answer.body.decode() for answer in answers if answer.kind == "document")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_its_scripts_and_styles_stays_under_the_limit(page, answers):
    sizes = {
        answer.name: len(answer.body)
        for answer in answers[page]
        if answer.kind in ("document", "script", "stylesheet")
    }
    assert any(name.endswith(".js") for name in sizes)
    assert any(name.endswith(".css") for name in sizes)
    assert sum(sizes.values()) < LIMIT, sizes


@pytest.mark.parametrize("page", PAGES)
def test_the_html_itself_names_everything_that_blocks_rendering(page, answers):
    """Then it loads in one round trip: no style sheet imports another."""
    html = html_of(answers[page])
    styles = [answer for answer in answers[page] if answer.kind == "stylesheet"]
    assert styles
    for answer in styles:
        assert answer.name in html
        assert b"@import" not in answer.body
    assert re.findall(r"<script(?![^>]*type=\"(?:module|application/json)\")[^>]*>", html) == []


# Not the lobby: it only knows which boards it needs once it knows which matches are live.
@pytest.mark.parametrize("page", ["rules", "invitation", "match", "devices"])
def test_scripts_load_in_one_round_trip_too(page, answers):
    """A module that only another module imports would be requested late."""
    scripts = [answer.name for answer in answers[page] if answer.kind == "script"]
    assert scripts
    assert [name for name in scripts if name not in html_of(answers[page])] == []


@pytest.mark.parametrize("page", PAGES)
def test_scripts_and_styles_are_hashed_cached_for_a_year_and_compressed(page, answers):
    static = [answer for answer in answers[page] if answer.is_static]
    assert static
    for answer in static:
        assert "max-age=31536000" in answer.headers["cache-control"], answer.name
        assert "immutable" in answer.headers["cache-control"], answer.name
        if len(gzip.compress(answer.body)) < 0.9 * len(answer.body):
            assert answer.headers.get("content-encoding"), answer.name


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_compressed(page, answers):
    documents = [answer for answer in answers[page] if answer.kind == "document"]
    assert [answer.headers.get("content-encoding") for answer in documents] == ["gzip"]


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_no_inline_styles(page, answers):
    html = html_of(answers[page])
    assert "<style" not in html
    assert " style=" not in html


SIZES = [(320, 568), (390, 844), (740, 360), (1280, 800)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", [*PAGES[1:], *GAMES])
def test_nothing_shifts_while_a_page_loads(page, size, people, server):
    width, height = size
    person = people(viewport={"width": width, "height": height})
    person.page.add_init_script(RECORD_SHIFTS)
    in_play = f"/m/{new_pair(server, page)[0]}/" if page in GAMES else None
    person.visit(in_play or path_of(server, page))
    person.page.wait_for_load_state("networkidle")
    if in_play:
        expect(person.tiles.first).to_be_visible()
    assert person.page.evaluate("window.shifts") == []


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """A server with open and live matches, in which nobody moves."""
    data = tmp_path_factory.mktemp("busy")
    with serving(data, NUMGAMES_LIMITS="off") as server, Seats() as seats:
        for slug in GAMES:
            seats.invitation(server, slug)
            seats.pair(server, slug)
        yield server


@pytest.mark.parametrize("size", SIZES)
def test_nothing_shifts_while_a_busy_lobby_loads(size, people, busy):
    width, height = size
    person = people(busy, viewport={"width": width, "height": height})
    person.page.add_init_script(RECORD_SHIFTS)
    person.visit("/")
    expect(person.page.locator(".live-match .tile").first).to_be_visible()
    expect(person.page.locator(".open-match")).to_have_count(len(GAMES))
    # Check the end of the lobby too: people who come from a match may see it first.
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    person.page.wait_for_load_state("networkidle")
    assert person.page.evaluate("window.shifts") == []


def test_pages_load_nothing_from_other_hosts(people, server):
    person, asked = people(), []
    person.context.on("request", lambda request: asked.append(request.url))
    person.create("number-tower-duel")
    person.visit("/rules/number-tower-duel/")
    assert [url for url in asked if not url.startswith((server.http, "data:"))] == []
