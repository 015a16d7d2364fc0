"""*Tell me*: one tap, and a message arrives although no page is open. The same tap ends it."""

import json
import time

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from tests.e2e.conftest import meeting
from tests.e2e.test_accessibility import violations
from tests.guests.push_service import push_service
from tests.live.client import join, new_guest, new_pair
from tests.serving import serving

# A browser with a push service of its own, which Chromium has only with an account at Google.
SUBSCRIBABLE = """
Notification.requestPermission = async () => "granted";
Object.defineProperty(Notification, "permission", { get: () => "granted" });
const made = %s;
const stored = () => localStorage.getItem("made") && {
  endpoint: made.endpoint,
  options: {},
  toJSON: () => made,
  unsubscribe: async () => localStorage.removeItem("made"),
};
PushManager.prototype.getSubscription = async () => stored() || null;
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  window.asked = [userVisibleOnly, applicationServerKey.length];
  localStorage.setItem("made", "yes");
  return stored();
};
"""


@pytest.fixture(scope="module")
def service():
    with push_service() as service:
        yield service


@pytest.fixture(scope="module")
def site(service, tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("tell-me"),
        NUMGAMES_PUSH_TEST_SERVICE=service.origin,
        NUMGAMES_PUSH_AFTER="1,3",
        NUMGAMES_LIMITS="off",
    ) as server:
        yield server


@pytest.fixture
def person(browser, site, service):
    """Somebody whose browser can be reached by push."""
    service.received.clear()
    with meeting(browser, site) as meet:

        def make(name, **settings):
            made = meet(site, **settings)
            made.page.add_init_script(SUBSCRIBABLE % json.dumps(service.subscription(name)))
            return made

        yield make


def tell_me(person):
    return person.page.locator(".tell-me:visible button")


def subscribe(person):
    with person.page.expect_response("**/api/me/push/") as stored:
        tell_me(person).click()
    assert stored.value.status == 200
    expect(tell_me(person)).to_have_attribute("aria-pressed", "true")


def test_one_tap_tells_me_that_my_friend_has_joined_after_i_closed_the_page(person, site, service):
    me = person("one")
    match_id = me.create("chain-factor").split("/")[2]
    expect(tell_me(me)).to_have_attribute("aria-pressed", "false")
    subscribe(me)
    expect(me.page.locator(".tell-me:visible")).to_contain_text("You'll be notified")
    assert me.page.evaluate("window.asked") == [True, 65]
    assert violations(me.page) == []
    # It is the same switch as in the settings.
    me.page.locator("#open-settings").click()
    expect(me.page.locator("#notification")).to_be_checked()
    expect(me.page.locator("#only-open")).to_be_hidden()
    me.page.goto("about:blank")
    assert join(site, match_id, new_guest(site))[0] == 200
    (told,) = service.wait(1)
    assert told.message["title"] == "Your friend is here"
    assert told.message["url"] == f"/m/{match_id}/"


def test_the_same_tap_ends_it(person, site, service):
    me = person("two")
    match_id = me.create("chain-factor").split("/")[2]
    subscribe(me)
    with me.page.expect_response("**/api/me/push/") as ended:
        tell_me(me).click()
    assert ended.value.request.method == "DELETE"
    assert ended.value.status == 200
    expect(tell_me(me)).to_have_attribute("aria-pressed", "false")
    me.page.goto("about:blank")
    assert join(site, match_id, new_guest(site))[0] == 200
    me.page.wait_for_timeout(5000)
    assert service.received == []


def test_in_german_the_message_is_german(person, site, service):
    me = person("three", locale="de-DE")
    match_id = me.create("chain-factor").split("/")[2]
    subscribe(me)
    expect(me.page.locator(".tell-me:visible")).to_contain_text("Wir benachrichtigen dich")
    me.page.goto("about:blank")
    assert join(site, match_id, new_guest(site))[0] == 200
    (told,) = service.wait(1)
    assert told.message["title"] == "Dein Gegenüber ist da"


def test_while_waiting_for_a_move_too_but_not_against_the_computer(person):
    me, friend = person("four"), person("five")
    friend.visit(me.create("number-tower-duel"))
    friend.join()
    me.has_turn()
    expect(tell_me(me)).to_be_visible()
    expect(tell_me(friend)).to_be_visible()
    me.resign()
    expect(tell_me(me)).to_be_hidden()
    friend.create("chain-factor", device="computer")
    friend.sees_the_board()
    expect(tell_me(friend)).to_be_hidden()


def test_a_browser_that_denies_it_says_so(browser, site):
    with meeting(browser, site) as meet:
        me = meet(site)
        me.page.add_init_script(
            "Notification.requestPermission = async () => 'denied';"
            "Object.defineProperty(Notification, 'permission', { get: () => 'denied' });"
        )
        me.create("chain-factor")
        tell_me(me).click()
        expect(me.page.locator(".tell-me:visible")).to_contain_text("doesn't allow")
        expect(tell_me(me)).to_have_attribute("aria-pressed", "false")


def test_a_browser_without_a_push_service_notifies_while_a_page_is_open(browser, site):
    with meeting(browser, site) as meet:
        me = meet(site)
        me.page.add_init_script(
            "Notification.requestPermission = async () => 'granted';"
            "PushManager.prototype.subscribe = async () => { throw new DOMException('none'); };"
        )
        me.visit("/")
        me.page.locator("#open-settings").click()
        me.page.locator("#notification").click()
        expect(me.page.locator("#only-open")).to_be_visible()
        expect(me.page.locator("#notification")).to_be_checked()


def test_a_subscription_is_sent_again_in_another_language(person):
    me = person("six")
    me.create("chain-factor")
    subscribe(me)
    me.page.reload()
    expect(tell_me(me)).to_have_attribute("aria-pressed", "true")
    me.context.add_cookies([{"name": "language", "value": "de", "url": me.server.http}])
    with me.page.expect_response("**/api/me/push/") as renewed:
        me.page.reload()
    assert renewed.value.status == 200


SHOWN = """
async (message) => {
  const shown = [];
  registration.showNotification = async (...what) => shown.push(what);
  dispatchEvent(new PushEvent("push", { data: JSON.stringify(message) }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  return shown;
}
"""
RENEWED = """
async ([before, after]) => {
  const event = new ExtendableEvent("pushsubscriptionchange");
  const answered = new Promise((resolve) => {
    const post = fetch;
    globalThis.fetch = async (...what) => {
      const answer = await post(...what);
      resolve(answer.status);
      return answer;
    };
  });
  event.oldSubscription = { endpoint: before };
  event.newSubscription = { toJSON: () => after };
  dispatchEvent(event);
  return answered;
}
"""


def test_the_service_worker_shows_messages_and_renews_the_subscription(person, site, service):
    me = person("seven")
    match_id = me.create("chain-factor").split("/")[2]
    subscribe(me)
    (worker,) = me.context.service_workers
    message = {"title": "Your turn", "body": "Ann moved.", "url": f"/m/{match_id}/"}
    ((title, options),) = worker.evaluate(SHOWN, message)
    assert (title, options["body"]) == ("Your turn", "Ann moved.")
    # The same tag as the page's own notifications, so that one replaces the other.
    assert options["tag"] == f"/m/{match_id}/"
    assert options["data"] == f"{site.http}/m/{match_id}/"

    before, after = (service.subscription(name) for name in ("seven", "eight"))
    assert worker.evaluate(RENEWED, [before["endpoint"], after]) == 200
    me.page.goto("about:blank")
    assert join(site, match_id, new_guest(site))[0] == 200
    (told,) = service.wait(1)
    assert told.path == "/push/eight"


# All pages are out of view, and what the worker shows is kept.
OUT_OF_VIEW = """
() => {
  globalThis.shown = [];
  registration.showNotification = async (title, { body, tag }) => shown.push([title, body, tag]);
  const find = clients.matchAll.bind(clients);
  clients.matchAll = async (options) =>
    (await find(options)).map(({ url }) => ({ url, visibilityState: "hidden" }));
}
"""


def test_a_page_that_shows_no_match_notifies_of_all(person, site, service):
    """Nobody is sent a push message while a page is open, so the page has to tell."""
    match_id, one, two = new_pair(site)
    me = person("nine").is_guest(two)
    me.page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true });")
    me.page.add_init_script("localStorage.setItem('notification', 'on');")
    with me.page.expect_response("**/api/me/push/"):
        me.visit("/")
    expect(me.page.locator("#strip")).to_be_visible()
    (worker,) = me.context.service_workers
    worker.evaluate(OUT_OF_VIEW)
    play(site, match_id, one, 6)
    expect(me.page.locator("#my-matches .count")).to_have_text("1")
    until = time.monotonic() + 10
    while not (shown := worker.evaluate("shown")):
        assert time.monotonic() < until
        me.page.wait_for_timeout(50)
    ((title, body, tag),) = shown
    assert title == "Your turn"
    assert body.endswith("moved in Number Tower Duel. It's your turn.")
    assert tag == f"/m/{match_id}/"
    me.page.wait_for_timeout(4000)
    assert service.received == []


def play(site, match_id, token, move):
    headers = {"Authorization": f"Bearer {token}"}
    with connect(f"{site.ws}/ws/match/{match_id}/", additional_headers=headers) as socket:
        socket.send(json.dumps({"type": "move", "move": move, "version": 0, "id": "m"}))
        while json.loads(socket.recv(timeout=10))["type"] != "update":
            pass
