"""The HTTP API: its answers, its refusals, and its authentication."""

import asyncio
import http.cookies
import json
import urllib.request

import pytest
import websockets

from games.rules import GAMES
from tests.live.client import (
    call,
    connected,
    fresh,
    get,
    join,
    new_guest,
    new_match,
    new_pair,
    post,
)


def test_a_new_guest_gets_a_token_and_a_generated_name(server):
    status, guest = post(server, "/api/guests/")
    assert status == 201
    assert set(guest) == {"token", "name"}
    assert len(guest["name"].split()) == 2


@pytest.mark.parametrize("slug", GAMES)
def test_the_api_shows_a_match_of_every_game_as_a_snapshot(server, slug):
    match_id, one, two = new_pair(server, slug)
    snapshot = fresh(server, match_id, two)
    assert snapshot["you"] == [2]
    assert snapshot["game"] == slug
    assert snapshot["history"] == []
    assert snapshot["outcome"] is None
    assert snapshot["version"] == 0
    assert {"state", "legal", "why", "turn", "options", "players", "series", "rematch"} <= set(
        snapshot
    )
    assert fresh(server, match_id, one)["you"] == [1]
    assert fresh(server, match_id)["you"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({}, "malformed"),
        ({"game": 7}, "malformed"),
        ([], "malformed"),
        ("x", "malformed"),
        ({"game": "chain-factor", "starts": "nobody"}, "bad_starts"),
        ({"game": "chain-factor", "listed": "yes"}, "malformed"),
        ({"game": "chain-factor", "options": {"pool": 101}}, "bad_option"),
        ({"game": "chain-factor", "options": {"size": 4}}, "bad_option"),
        ({"game": "chain-factor", "options": [1]}, "malformed"),
        ({"game": "number-collapse", "options": {"size": 6}}, "bad_option"),
        ({"game": "chain-factor", "name": "x" * 21}, "bad_name"),
        ({"game": "chain-factor", "name": "\u202e\u200b"}, "bad_name"),
    ],
)
def test_a_wrong_request_is_refused_with_code_and_text(server, body, code):
    status, answer = post(server, "/api/matches/", body or {"nothing": 1}, new_guest(server))
    assert status == 400
    assert set(answer) == {"code", "text", "template", "values"}
    assert answer["code"] == code
    assert answer["template"].format(**answer["values"]) == answer["text"]
    assert answer["text"].endswith(".")


def test_missing_or_invalid_identity_unknown_match_and_wrong_method_are_refused(server):
    assert post(server, "/api/matches/", {"game": "chain-factor"})[1]["code"] == "no_identity"
    status, answer = post(server, "/api/matches/", {"game": "chain-factor"}, "1.2.3")
    assert (status, answer["code"]) == (401, "bad_token")
    status, answer = get(server, "/api/matches/22222222/")
    assert (status, answer["code"]) == (404, "no_such_match")
    assert join(server, "22222222", new_guest(server))[0] == 404
    status, answer = call(server, "PUT", "/api/matches/", {})
    assert (status, answer["code"]) == (405, "bad_method")
    assert get(server, "/api/matches/")[1]["code"] == "bad_query"


async def lists_with(server, *match_ids):
    """Return the API's lists once they contain these matches; they may be a second old."""
    async with asyncio.timeout(10):
        while True:
            _, lists = await asyncio.to_thread(get, server, "/api/matches/?open=1&live=1")
            if set(match_ids) <= {one["id"] for kind in lists.values() for one in kind}:
                return lists
            await asyncio.sleep(0.1)


async def test_a_chosen_name_is_shown_in_the_match_but_never_in_lists(server):
    status, guest = post(server, "/api/guests/")
    match_id = new_match(server, guest["token"], listed=True, name="  Ada \u202e  L.  ")
    assert fresh(server, match_id)["players"]["1"]["name"] == "Ada L."
    async with connected(server, match_id, guest["token"]):
        listed = (await lists_with(server, match_id))["open"]
    entry = next(one for one in listed if one["id"] == match_id)
    assert entry["name"] == guest["name"]
    assert status == 201


async def test_lists_show_only_listed_matches_that_somebody_has_open(server):
    tokens = [new_guest(server) for _ in range(3)]
    open_listed, absent = (new_match(server, token, listed=True) for token in tokens[:2])
    hidden = new_match(server, tokens[2])
    live, one, _two = new_pair(server, listed=True)
    live_hidden, three, _four = new_pair(server)
    async with (
        connected(server, open_listed, tokens[0]),
        connected(server, hidden, tokens[2]),
        connected(server, live, one),
        connected(server, live_hidden, three),
    ):
        lists = await lists_with(server, open_listed, live)
    opened = {one["id"] for one in lists["open"]}
    living = {one["id"]: one for one in lists["live"]}
    assert open_listed in opened
    assert live in living
    assert not {absent, hidden, live_hidden} & (opened | set(living))
    assert len(lists["live"]) <= 12
    assert {"state", "turn", "version", "spectators", "players"} <= set(living[live])


async def test_a_guests_second_listed_invitation_replaces_the_first_in_the_list(server):
    token = new_guest(server)
    first = new_match(server, token, listed=True)
    async with connected(server, first, token) as waiting:
        await lists_with(server, first)
        second = new_match(server, token, listed=True)
        while waiting.board["listed"]:
            await waiting.receive("snapshot")
        async with connected(server, second, token):
            lists = await lists_with(server, second)
    assert first not in {one["id"] for one in lists["open"]}
    assert join(server, first, new_guest(server))[0] == 200


@pytest.mark.parametrize(
    ("query", "kinds"), [("open=1", {"open"}), ("live=1", {"live"}), ("live=1&open=0", {"live"})]
)
def test_a_program_asks_for_the_lists_it_wants(server, query, kinds):
    status, lists = get(server, f"/api/matches/?{query}")
    assert status == 200
    assert set(lists) == kinds
    assert get(server, "/api/matches/?open=0")[1]["code"] == "bad_query"


@pytest.mark.usefixtures("collected_static")
def test_without_a_live_process_nobody_is_there_to_be_listed(client):
    answer = client.get("/api/matches/?open=1&live=1")
    assert answer.json() == {"open": [], "live": []}


async def next_with(socket, kind, match_id):
    """Return the next message of the lobby with this match in this list."""
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 10))
        if match_id in {one["id"] for one in message[kind]}:
            return message


async def test_the_lobby_shows_new_invitations_and_started_matches(server):
    async with websockets.connect(f"{server.ws}/ws/lobby/") as socket:
        first = json.loads(await asyncio.wait_for(socket.recv(), 10))
        token = new_guest(server)
        match_id = new_match(server, token, listed=True)
        async with connected(server, match_id, token):
            await next_with(socket, "open", match_id)
            join(server, match_id, new_guest(server))
            third = await next_with(socket, "live", match_id)
    assert first["type"] == "lobby"
    assert match_id not in {one["id"] for one in first["open"]}
    assert match_id not in {one["id"] for one in third["open"]}
    assert len(third["live"]) <= 12


class Browser:
    """A client that keeps cookies like a browser, and sends no token."""

    def __init__(self, server):
        self.server, self.cookies = server, {}

    def request(self, path, data=None, **headers):
        request = urllib.request.Request(
            self.server.http + path,
            data=None if data is None else json.dumps(data).encode(),
            headers={
                "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
                **headers,
            },
        )
        try:
            response = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            for header in response.headers.get_all("Set-Cookie") or ():
                for name, morsel in http.cookies.SimpleCookie(header).items():
                    self.cookies[name] = morsel.value
                    assert name != "guest" or (morsel["httponly"] and morsel["samesite"] == "Lax")
            return response.status, response.read()


def test_a_browser_becomes_a_guest_with_its_first_post_and_not_before(server):
    browser = Browser(server)
    for path in ("/", "/rules/chain-factor/", "/api/matches/?open=1"):
        browser.request(path)
    assert "guest" not in browser.cookies
    browser.cookies["csrftoken"] = "x" * 32
    status, _ = browser.request(
        "/api/matches/", {"game": "chain-factor"}, **{"X-CSRFToken": "x" * 32}
    )
    assert status == 201
    assert "guest" in browser.cookies
    guest = browser.cookies["guest"].split(".")[0]
    browser.request("/api/matches/", {"game": "chain-factor"}, **{"X-CSRFToken": "x" * 32})
    assert browser.cookies["guest"].split(".")[0] == guest


def test_a_cookie_alone_is_not_enough_for_a_post(server):
    browser = Browser(server)
    browser.cookies["guest"] = new_guest(server)
    status, answer = browser.request("/api/matches/", {"game": "chain-factor"})
    assert (status, json.loads(answer)["code"]) == (403, "no_identity")
    browser.cookies["csrftoken"] = "x" * 32
    status, _ = browser.request(
        "/api/matches/",
        {"game": "chain-factor"},
        **{"X-CSRFToken": "x" * 32, "Origin": "http://evil.example"},
    )
    assert status == 403


def test_pages_have_a_content_security_policy_against_foreign_scripts(server):
    with urllib.request.urlopen(server.http + "/", timeout=30) as response:
        policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
