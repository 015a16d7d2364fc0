"""A real server, a real browser, and the people who use them."""

import os
import shutil
from contextlib import contextmanager
from functools import partial

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.e2e.people import Person
from tests.e2e.seats import Seats
from tests.live.client import new_pair
from tests.serving import serving

NO_BROWSER = (
    "These tests need Chromium, and none of chromium-headless-shell, chromium, chromium-browser, "
    "google-chrome is installed."
)
# Chromium loads nothing but the pages under test. Its sandbox doesn't work for root.
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--no-first-run",
]

# The machine may be busy.
expect.set_options(timeout=10_000)


# For the package, not the session: while Playwright runs, no other event loop can run in this
# thread, and the async tests of other packages need one.
@pytest.fixture(scope="package")
def launch():
    """Return a function that starts a browser with extra command-line switches."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        launch = partial(playwright.chromium.launch, executable_path=found)
        yield lambda *switches: launch(args=[*QUIET, *switches])


@pytest.fixture(scope="package")
def browser(launch):
    with launch() as browser:
        yield browser


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("e2e"), NUMGAMES_LIMITS="off") as server:
        yield server


@contextmanager
def meeting(browser, server):
    """Yield a function that makes people with their own cookies; check for logged errors."""
    made = []

    def meet(at=server, **settings):
        context = browser.new_context(base_url=at.http, **settings)
        context.set_default_timeout(10_000)
        made.append(Person(context, at, touch=settings.get("has_touch", False)))
        return made[-1]

    yield meet
    complaints = [complaint for person in made for complaint in person.complaints()]
    for person in made:
        person.context.close()
    assert complaints == [], complaints


@pytest.fixture
def people(browser, server):
    with meeting(browser, server) as meet:
        yield meet


@pytest.fixture
def seats():
    with Seats() as seats:
        yield seats


@pytest.fixture
def pair(people, server):
    """Return a function that starts a match between two people; the first one moves first."""

    def begin(slug="number-tower-duel", at=server, **settings):
        match_id, *tokens = new_pair(at, slug, **settings)
        players = [people(at).is_guest(token).visit(f"/m/{match_id}/") for token in tokens]
        players[0].has_turn()
        players[1].waits()
        return players

    return begin
