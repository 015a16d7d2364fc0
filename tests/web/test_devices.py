"""Pages and API about a guest's devices, as browsers and programs use them."""

import json

import pytest
from django.test import AsyncClient, Client

from games.guests import device_links
from games.matches import identity, limits, selectors, services
from games.models import Device, Guest, Match
from tests.guests.people import another_device, loaded, match_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("collected_static"),
]

FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"


class Browser(Client):
    """A browser with its own cookies. Each of its pages has a CSRF token."""

    def __init__(self):
        super().__init__(headers={"User-Agent": FIREFOX}, enforce_csrf_checks=True)
        self.get("/me/arrive/")

    @property
    def csrf(self):
        return {"X-CSRFToken": self.cookies["csrftoken"].value}

    def send(self, path, data=None, method="post"):
        return getattr(self, method)(
            path, data or {}, content_type="application/json", headers=self.csrf
        )

    def new_match(self):
        """Create a match; return it."""
        made = self.send("/api/matches/", {"game": "number-tower-duel", "starts": "me"})
        return Match.objects.get(pk=made.json()["id"])

    @property
    def who(self):
        cookie = self.cookies.get(identity.COOKIE)
        return identity.who_from(cookie.value) if cookie else None

    def secret(self):
        url = self.send("/api/me/device-links/").json()["url"]
        return url.partition("#")[2]


def program(path, data=None, token=None, method="post"):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return getattr(Client(enforce_csrf_checks=True), method)(
        path, data or {}, content_type="application/json", headers=headers
    )


def code_of(answer):
    return answer.status_code, answer.json()["code"]


def seats(browser, match):
    return browser.get(f"/api/matches/{match.pk}/").json()["you"]


def test_two_browsers_become_the_same_guest_by_a_link():
    laptop, phone = Browser(), Browser()
    match = laptop.new_match()
    answer = laptop.send("/api/me/device-links/")
    made = answer.json()
    assert (answer.status_code, made["expires_in"]) == (201, 300)
    # The secret stands in the fragment, which browsers send to no server.
    assert made["url"].startswith("http://testserver/me/arrive/#")
    assert made["qr"].startswith("<svg")
    arrived = phone.send("/api/me/arrive/", {"secret": made["url"].partition("#")[2]})
    assert (arrived.status_code, arrived.json()["merged"]) == (200, False)
    assert "token" not in arrived.json()
    assert phone.who == (laptop.who.guest_id, 1)
    assert seats(phone, match) == seats(laptop, match) == [1]
    listed = phone.get("/api/me/devices/").json()["devices"]
    assert [(one["label"], one["this"]) for one in listed] == [
        ("Firefox on Android", True),
        ("Firefox on Android", False),
    ]


def test_a_program_gets_a_token_for_a_link():
    laptop = Browser()
    match = laptop.new_match()
    arrived = program("/api/me/arrive/", {"secret": laptop.secret()}).json()
    assert identity.who_from(arrived["token"]) == (laptop.who.guest_id, 1)
    shown = program(f"/api/matches/{match.pk}/", token=arrived["token"], method="get").json()
    assert shown["you"] == [1]


def test_links_tell_whether_they_are_wrong_used_or_expired():
    laptop = Browser()
    laptop.new_match()
    secret = laptop.secret()
    assert code_of(Browser().send("/api/me/arrive/", {"secret": "x" * 22})) == (404, "wrong_link")
    Browser().send("/api/me/arrive/", {"secret": secret})
    assert code_of(Browser().send("/api/me/arrive/", {"secret": secret})) == (410, "used_link")
    assert code_of(Browser().send("/api/me/arrive/", {})) == (400, "malformed")
    assert code_of(Browser().send("/api/me/arrive/", {"secret": "x" * 201})) == (400, "malformed")


def test_another_site_cannot_make_somebody_a_guest_of_its_choice():
    laptop, victim = Browser(), Browser()
    laptop.new_match()
    secret = laptop.secret()
    for headers in (
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"X-CSRFToken": "y" * 32},
    ):
        answer = victim.post(
            "/api/me/arrive/", {"secret": secret}, content_type="application/json", headers=headers
        )
        assert code_of(answer) == (403, "no_identity")
    assert victim.who is None


def test_a_browser_with_matches_is_asked_and_keeps_both():
    laptop, phone = Browser(), Browser()
    first, second = laptop.new_match(), phone.new_match()
    secret = laptop.secret()
    before = phone.who
    asked = phone.send("/api/me/arrive/", {"secret": secret})
    assert code_of(asked) == (409, "has_guest")
    assert (asked.json()["values"]["here"], asked.json()["values"]["there"]) == (1, 1)
    assert phone.who == before
    arrived = phone.send("/api/me/arrive/", {"secret": secret, "merge": True})
    assert arrived.json()["merged"] is True
    for browser in (laptop, phone):
        assert [seats(browser, match) for match in (first, second)] == [[1], [1]]
    assert Guest.objects.count() == 1


def test_a_browser_may_leave_its_matches_behind():
    laptop, phone = Browser(), Browser()
    first, second = laptop.new_match(), phone.new_match()
    phone.send("/api/me/arrive/", {"secret": laptop.secret(), "merge": False})
    assert [seats(phone, match) for match in (first, second)] == [[1], []]
    assert Guest.objects.count() == 2


def test_other_devices_of_a_merged_guest_go_on_as_the_new_one():
    laptop, phone, tablet = Browser(), Browser(), Browser()
    laptop.new_match()
    match = phone.new_match()
    tablet.send("/api/me/arrive/", {"secret": phone.secret()})
    phone.send("/api/me/arrive/", {"secret": laptop.secret(), "merge": True})
    assert tablet.who.guest_id != laptop.who.guest_id
    # The page of a match recognises it, and gives it a new cookie.
    assert b'"you":[1]' in tablet.get(f"/m/{match.pk}/").content
    assert tablet.who.guest_id == laptop.who.guest_id
    numbers = {browser.who.device for browser in (laptop, phone, tablet)}
    assert len(numbers) == 3
    assert tablet.new_match().seat_1_id == laptop.who.guest_id


def test_a_merged_guests_browser_that_acts_first_goes_on_as_the_new_one():
    laptop, phone, tablet = Browser(), Browser(), Browser()
    laptop.new_match()
    phone.new_match()
    tablet.send("/api/me/arrive/", {"secret": phone.secret()})
    old = identity.token_for(*tablet.who)
    phone.send("/api/me/arrive/", {"secret": laptop.secret(), "merge": True})
    assert tablet.new_match().seat_1_id == laptop.who.guest_id
    answer = program("/api/matches/", {"game": "chain-factor"}, old)
    assert code_of(answer) == (401, "bad_token")


def test_a_signed_out_browser_is_a_stranger_and_becomes_a_new_guest_with_its_next_post():
    laptop, phone = Browser(), Browser()
    match = laptop.new_match()
    phone.send("/api/me/arrive/", {"secret": laptop.secret()})
    left = laptop.send("/api/me/devices/sign-out/", {"device": 1}).json()
    assert [device["number"] for device in left["devices"]] == [0]
    assert seats(phone, match) == []
    assert code_of(phone.get("/api/me/devices/")) == (401, "bad_token")
    assert code_of(phone.send("/api/me/device-links/")) == (401, "bad_token")
    assert phone.send(f"/api/matches/{match.pk}/cancel/").status_code == 404
    created = phone.new_match()
    assert phone.who.guest_id == created.seat_1_id != laptop.who.guest_id


def test_a_signed_out_program_gets_bad_token():
    guest = services.new_guest()
    match_of(guest)
    phone = another_device(guest)
    token = identity.token_for(*phone.who)
    first = identity.token_for(guest.pk)
    program("/api/me/devices/sign-out/", {"device": 1}, first)
    for path in ("/api/matches/", "/api/me/device-links/", "/api/me/recovery/"):
        assert code_of(program(path, {"game": "chain-factor"}, token)) == (401, "bad_token")


def test_all_others_are_signed_out():
    laptop, phone, tablet = Browser(), Browser(), Browser()
    match = laptop.new_match()
    for browser in (phone, tablet):
        browser.send("/api/me/arrive/", {"secret": laptop.secret()})
    phone.send("/api/me/devices/sign-out/", {"others": True})
    assert [seats(browser, match) for browser in (laptop, phone, tablet)] == [[], [1], []]


def test_signing_this_device_out_takes_its_cookie_away():
    laptop = Browser()
    match = laptop.new_match()
    assert laptop.send("/api/me/devices/sign-out/", {"device": 0}).json() == {}
    assert laptop.cookies[identity.COOKIE].value == ""
    assert loaded(match).row.seat_1.is_signed_out(0)


def test_a_recovery_code_brings_a_guest_back():
    old, new = Browser(), Browser()
    match = old.new_match()
    assert old.get("/api/me/devices/").json()["recovery"] is None
    made = old.send("/api/me/recovery/")
    assert made.status_code == 201
    code = made.json()["code"]
    assert old.get("/api/me/devices/").json()["recovery"]
    assert new.send("/api/me/recover/", {"code": code.upper()}).status_code == 200
    assert seats(new, match) == [1]
    assert old.send("/api/me/recovery/", method="delete").json() == {}
    assert code_of(Browser().send("/api/me/recover/", {"code": code})) == (404, "wrong_code")
    assert code_of(Browser().send("/api/me/recover/", {"code": "one two"})) == (400, "bad_code")


def test_wrong_codes_are_limited_and_then_even_the_right_one_is_refused():
    laptop = Browser()
    laptop.new_match()
    code = laptop.send("/api/me/recovery/").json()["code"]
    wrong = "apple " * 7
    for _ in range(30):
        assert code_of(program("/api/me/recover/", {"code": wrong})) == (404, "wrong_code")
    for typed in (wrong, code):
        answer = program("/api/me/recover/", {"code": typed})
        assert code_of(answer) == (429, "too_many")
        assert "Retry-After" in answer.headers
    limits.WRONG_CODES_BY_ADDRESS.buckets.clear()
    assert program("/api/me/recover/", {"code": code}).status_code == 200


def test_there_is_a_limit_on_wrong_codes_from_all_networks(monkeypatch):
    monkeypatch.setattr(limits, "WRONG_CODES_IN_ALL", limits.Limit(rate=0.1, burst=1))
    wrong = "apple " * 7
    answers = [program("/api/me/recover/", {"code": wrong}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [404, 429]


def test_new_links_and_codes_are_limited():
    laptop = Browser()
    laptop.new_match()
    answers = [laptop.send("/api/me/device-links/").status_code for _ in range(21)]
    assert answers == [201] * 20 + [429]


def test_redeeming_is_limited_for_a_network(monkeypatch):
    monkeypatch.setattr(limits, "ARRIVING_BY_ADDRESS", limits.Limit(rate=0.1, burst=2))
    answers = [program("/api/me/arrive/", {"secret": "x"}).status_code for _ in range(3)]
    assert answers == [404, 404, 429]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/api/me/devices/"),
        ("post", "/api/me/devices/sign-out/"),
        ("post", "/api/me/device-links/"),
        ("post", "/api/me/recovery/"),
        ("delete", "/api/me/recovery/"),
        ("get", "/api/me/data/"),
        ("post", "/api/me/forget/"),
    ],
)
def test_nobody_gets_anything_without_a_guest(method, path):
    assert code_of(program(path, method=method)) == (401, "no_identity")
    assert code_of(program(path, token="7.x.y", method=method)) == (401, "bad_token")
    browser = Browser()
    browser.new_match()
    if method != "get":
        foreign = getattr(browser, method)(path, content_type="application/json")
        assert code_of(foreign) == (403, "no_identity")


@pytest.mark.parametrize("path", ["/me/devices/", "/me/arrive/", "/api/me/devices/"])
def test_nothing_about_a_guest_is_cached(path):
    laptop = Browser()
    laptop.new_match()
    cached = laptop.get(path).headers["Cache-Control"]
    assert "no-store" in cached


async def downloaded(token):
    client = AsyncClient()
    answer = await client.get("/api/me/data/", headers={"Authorization": f"Bearer {token}"})
    if not answer.streaming:
        return answer, answer.json()
    return answer, json.loads(b"".join([part async for part in answer.streaming_content]))


@pytest.mark.usefixtures("closed_connections")
async def test_everything_about_a_guest_can_be_downloaded_three_times_an_hour():
    from asgiref.sync import sync_to_async

    guest = services.new_guest()
    match = await sync_to_async(match_of)(guest)
    token = identity.token_for(guest.pk)
    for _ in range(3):
        answer, found = await downloaded(token)
        assert answer.headers["Content-Disposition"] == 'attachment; filename="numgames.json"'
        assert answer.headers["Cache-Control"] == "no-store"
        assert [one["id"] for one in found["matches"]] == [match.pk]
    answer, found = await downloaded(token)
    assert (answer.status_code, found["code"]) == (429, "too_many")


def test_forgetting_needs_a_confirmation_and_takes_the_cookie_away():
    laptop, friend = Browser(), Browser()
    match = laptop.new_match()
    friend.send(f"/api/matches/{match.pk}/join/")
    assert code_of(laptop.send("/api/me/forget/")) == (400, "not_confirmed")
    assert laptop.send("/api/me/forget/", {"confirm": True}).json() == {}
    assert laptop.cookies[identity.COOKIE].value == ""
    shown = friend.get(f"/api/matches/{match.pk}/").json()
    assert shown["players"]["1"] == {"name": "A former player", "former": True}
    assert (shown["outcome"]["winner"], shown["you"]) == (2, [2])
    page = friend.get(f"/m/{match.pk}/").content.decode()
    assert "A former player" in page
    german = friend.get(f"/m/{match.pk}/", headers={"Accept-Language": "de"}).content.decode()
    assert "Ehemalig" in german


def test_a_second_browser_of_a_forgotten_guest_becomes_somebody_new():
    laptop, phone = Browser(), Browser()
    laptop.new_match()
    phone.send("/api/me/arrive/", {"secret": laptop.secret()})
    old = phone.who.guest_id
    laptop.send("/api/me/forget/", {"confirm": True})
    assert phone.new_match().seat_1_id == phone.who.guest_id != old


def test_a_device_without_a_row_is_shown_on_the_page():
    laptop = Browser()
    laptop.new_match()
    Device.objects.all().delete()
    assert "Firefox on Android" in laptop.get("/me/devices/").content.decode()


def test_a_stranger_sees_a_page_without_anything_about_anybody():
    page = Browser().get("/me/devices/").content.decode()
    assert 'id="recover"' in page
    assert 'id="devices"' not in page


def test_the_secret_of_a_link_is_in_no_address_that_is_sent():
    guest = services.new_guest()
    secret = device_links.new_link(guest)
    assert selectors.match_row(secret[:8]) is None
    assert Client().get(f"/me/arrive/{secret}/").status_code == 404
