"""Installing the site: a valid manifest, and an offline page."""

import pytest
from playwright.sync_api import expect

READY = "navigator.serviceWorker.ready.then(() => true)"


@pytest.fixture
def installed(people):
    """Return a function that visits a page and waits until the service worker is ready."""

    def visit(path="/"):
        person = people().visit(path)
        assert person.page.evaluate(READY)
        return person

    return visit


def test_chromium_can_install_the_site_from_its_manifest(installed):
    person = installed()
    session = person.context.new_cdp_session(person.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"].endswith("/manifest.webmanifest")
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Tests use a browser without a profile, which can't install anything.
    assert [
        problem["errorId"] for problem in problems if problem["errorId"] != "in-incognito"
    ] == []


def test_every_icon_in_the_manifest_exists(installed):
    person = installed()
    manifest = person.page.request.get("/manifest.webmanifest").json()
    assert {icon["purpose"] for icon in manifest["icons"] if "purpose" in icon} == {
        "any",
        "maskable",
    }
    for icon in manifest["icons"]:
        answer = person.page.request.get(icon["src"])
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(icon["type"])


def test_without_a_network_there_is_an_offline_page_and_never_an_old_board(installed, server):
    person = installed()
    person.create("number-tower-duel", device="same")
    person.play(6)
    person.may_lose_connection = True
    person.context.set_offline(True)
    person.page.reload()
    expect(person.page.locator("h1")).to_have_text("You're offline")
    assert person.page.locator(".tile").count() == 0
    colour = "getComputedStyle(document.querySelector('.button.primary')).backgroundColor"
    assert person.page.evaluate(colour) != "rgba(0, 0, 0, 0)"

    # When the network is back, the page reloads and shows the current board.
    person.context.set_offline(False)
    person.sees_the_board()
    person.sees_moves(1)


def test_the_service_worker_caches_only_the_offline_page(installed, server):
    person = installed()
    person.create("number-tower-duel", device="same")
    person.visit("/rules/chain-factor/")
    kept = person.page.evaluate(
        """async () => {
          const names = await caches.keys();
          const caches_ = await Promise.all(names.map(name => caches.open(name)));
          const keys = await Promise.all(caches_.map(cache => cache.keys()));
          return keys.flat().map(request => new URL(request.url).pathname);
        }"""
    )
    assert "/offline/" in kept
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline/"]


def test_a_connection_lost_before_the_worker_is_loaded_logs_no_page_error(people):
    person = people()
    person.may_lose_connection = True
    asked = []

    def lose(route):
        asked.append(route.request.url)
        route.abort()

    person.context.route("**/service-worker.js", lose)
    with person.page.expect_console_message(lambda message: "the script" in message.text):
        person.visit("/")
    assert len(asked) == 1
    # Once this returns, the page has logged any error it had to log.
    person.page.evaluate("navigator.serviceWorker.getRegistration()")
