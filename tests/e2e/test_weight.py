"""Pages are light and arrive at once: their size, their round trips, and that nothing shifts."""

import gzip

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.e2e.test_phone import RECORD_SHIFTS
from tests.live.client import new_guest, new_match, new_pair

# All of a page's HTML, styles and scripts together, uncompressed.
LIMIT = 120_000

PAGES = ["lobby", "rules", "invitation", "match"]


@pytest.fixture
def path_of(server):
    """The address of a page; every time a new match."""

    def find(page):
        if page in ("lobby", "rules"):
            return "/" if page == "lobby" else "/rules/number-blossoms/"
        if page == "invitation":
            return f"/m/{new_match(server, new_guest(server))}/"
        return f"/m/{new_pair(server, 'number-blossoms')[0]}/"

    return find


@pytest.fixture
def answers(people, path_of):
    """A person who has opened a page, and all that came over the network for it."""

    def visit(page):
        person, came = people(), []
        person.page.on("response", lambda answer: came.append(answer))
        person.visit(path_of(page))
        person.page.wait_for_load_state("networkidle")
        return person, came

    return visit


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_its_scripts_and_styles_stays_under_the_limit(page, answers):
    _, came = answers(page)
    sizes = {
        answer.url.rsplit("/", 1)[1]: len(answer.body())
        for answer in came
        if answer.request.resource_type in ("document", "script", "stylesheet")
    }
    assert any(name.endswith(".js") for name in sizes)
    assert any(name.endswith(".css") for name in sizes)
    assert sum(sizes.values()) < LIMIT, sizes


@pytest.mark.parametrize("page", PAGES)
def test_what_blocks_a_page_is_named_by_the_page_itself(page, answers):
    """So it is fetched in one round trip: no style sheet asks for another."""
    person, came = answers(page)
    html = next(answer.text() for answer in came if answer.request.resource_type == "document")
    styles = [answer for answer in came if answer.request.resource_type == "stylesheet"]
    assert styles
    for answer in styles:
        assert answer.url.rsplit("/", 1)[1] in html
        assert "@import" not in answer.text()
    blocking = (
        "document.head.querySelectorAll('script:not([type=module], [async], [defer])').length"
    )
    assert person.page.evaluate(blocking) == 0


# Which boards the lobby needs is known when it has heard which matches are live.
@pytest.mark.parametrize("page", ["rules", "invitation", "match"])
def test_scripts_come_in_one_round_trip_too(page, answers):
    """A module that only another module names would be asked for late."""
    _, came = answers(page)
    html = next(answer.text() for answer in came if answer.request.resource_type == "document")
    scripts = [
        answer.url.rsplit("/", 1)[1] for answer in came if answer.request.resource_type == "script"
    ]
    assert scripts
    assert [name for name in scripts if name not in html] == []


@pytest.mark.parametrize("page", PAGES)
def test_scripts_and_styles_are_hashed_cached_for_a_year_and_compressed(page, answers):
    _, came = answers(page)
    for answer in came:
        if "/static/" not in answer.url:
            continue
        headers = answer.headers
        assert "max-age=31536000" in headers["cache-control"], answer.url
        assert "immutable" in headers["cache-control"], answer.url
        if len(gzip.compress(answer.body())) < 0.9 * len(answer.body()):
            assert headers.get("content-encoding"), answer.url


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_compressed(page, answers):
    _, came = answers(page)
    documents = [answer for answer in came if answer.request.resource_type == "document"]
    assert [answer.headers.get("content-encoding") for answer in documents] == ["gzip"]


@pytest.mark.parametrize("page", PAGES)
def test_styles_stand_in_style_sheets_alone(page, answers):
    _, came = answers(page)
    html = next(answer.text() for answer in came if answer.request.resource_type == "document")
    assert "<style" not in html
    assert " style=" not in html


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (740, 360), (1280, 800)])
@pytest.mark.parametrize("page", [*PAGES[1:], *GAMES])
def test_nothing_shifts_while_a_page_loads(page, size, people, path_of, server):
    width, height = size
    person = people(viewport={"width": width, "height": height})
    person.page.add_init_script(RECORD_SHIFTS)
    in_play = f"/m/{new_pair(server, page)[0]}/" if page in GAMES else None
    person.visit(in_play or path_of(page))
    person.page.wait_for_load_state("networkidle")
    if in_play:
        expect(person.tiles.first).to_be_visible()
    assert person.page.evaluate("window.shifts") == []


def test_pages_ask_nobody_else_for_anything(people, server):
    person, asked = people(), []
    person.context.on("request", lambda request: asked.append(request.url))
    person.create("number-tower-duel")
    person.visit("/rules/number-tower-duel/")
    assert [url for url in asked if not url.startswith((server.http, "data:"))] == []
