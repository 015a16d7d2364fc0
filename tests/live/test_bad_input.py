"""Every mistake of a client gets one answer, and the sockets of other clients stay open."""

import asyncio
import http.client
import json

import pytest
import websockets
from django.core import signing
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games.matches import identity
from tests.live.client import connected, get, new_guest, new_match, new_pair, post
from tests.serving import serving

MOVE = {"type": "move", "move": 6, "version": 0, "id": "x"}

BAD = {
    "malformed": ["", "x", "{", "[]", "[1]", "null", "7", '"move"', "[" * 2000, '{"type":NaN}'],
    "unknown_type": ["{}", '{"type":"dance"}', '{"type":7}', '{"type":null}', '{"type":["move"]}'],
    "missing_field": [
        '{"type":"move"}',
        '{"type":"move","move":6,"version":0}',
        '{"type":"move","version":0,"id":"x"}',
        '{"type":"resign"}',
        '{"type":"claim"}',
        '{"type":"rematch"}',
        '{"type":"ping"}',
    ],
    "bad_field": [
        json.dumps({**MOVE, "version": "0"}),
        json.dumps({**MOVE, "version": -1}),
        json.dumps({**MOVE, "version": True}),
        json.dumps({**MOVE, "version": 10**30}),
        json.dumps({**MOVE, "id": ""}),
        json.dumps({**MOVE, "id": "x" * 65}),
        json.dumps({**MOVE, "id": 7}),
        json.dumps({**MOVE, "id": None}),
        '{"type":"ping","version":null}',
    ],
    "not_a_move": [
        json.dumps({**MOVE, "move": move}) for move in (True, 6.5, "six", None, [6], {"a": 1}, "6")
    ],
    "not_available": [
        json.dumps({**MOVE, "move": move}) for move in (0, -1, 10, 10**18, 2**63 - 1)
    ],
    "may_not_pass": [json.dumps({**MOVE, "move": "pass"})],
    "stale_version": [json.dumps({**MOVE, "version": 5})],
    "too_long": [json.dumps({**MOVE, "id": "x" * 5000}), "x" * 100_000],
    "binary": [b"", b"{}", json.dumps(MOVE).encode(), b"\xff" * 100],
    "not_finished": ['{"type":"rematch","id":"x"}'],
}


async def test_every_wrong_message_is_answered_and_the_socket_stays_open(server):
    match_id, one, _two = new_pair(server)
    async with connected(server, match_id, one) as client:
        for code, texts in BAD.items():
            for text in texts:
                await client.socket.send(text)
                answer = await client.receive("rejected", "update")
                assert (answer["type"], answer.get("code")) == ("rejected", code), text
                assert answer["text"].endswith(".")
                assert answer["version"] == 0
        assert (await client.played(6))["type"] == "update"


async def test_a_rejection_has_the_id_of_its_request(server):
    match_id, one, _two = new_pair(server)
    async with connected(server, match_id, one) as client:
        for text in ('{"type":"dance","id":"a7"}', '{"type":"move","id":"a7"}'):
            await client.socket.send(text)
            assert (await client.receive("rejected"))["id"] == "a7"


async def test_moves_out_of_turn_after_the_end_or_by_spectators_are_rejected(server):
    match_id, one, two = new_pair(server)
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
        connected(server, match_id) as spectator,
    ):
        assert (await second.played(6))["code"] == "not_your_turn"
        assert (await spectator.played(6))["code"] == "spectator"
        await spectator.send(type="resign", id="r")
        assert (await spectator.receive("rejected"))["code"] == "spectator"
        await second.send(type="resign", id="r")
        await first.receive("update")
        await second.receive("update")
        assert (await first.played(6))["code"] == "finished"
        for message in ("resign", "claim"):
            await first.send(type=message, id=message)
            assert (await first.receive("rejected"))["code"] == "finished"


async def closing(url, **keywords):
    """Return the last message and the close code of a socket that the server closes."""
    async with websockets.connect(url, **keywords) as socket:
        last = None
        try:
            while True:
                last = json.loads(await asyncio.wait_for(socket.recv(), 10))
        except ConnectionClosed as closed:
            return last, closed.rcvd.code if closed.rcvd else None


@pytest.mark.parametrize("match_id", ["22222222", "nope", "x" * 500, "%00%ff", "2222222i"])
async def test_a_socket_for_an_unknown_match_is_closed_with_a_message(server, match_id):
    last, code = await closing(f"{server.ws}/ws/match/{match_id}/")
    assert (last["type"], last["code"], code) == ("error", "no_such_match", 4404)


@pytest.mark.parametrize("path", ["/ws/", "/ws/match/", "/elsewhere", "/ws/match/22222222"])
async def test_a_socket_at_an_unknown_address_is_closed_with_a_message(server, path):
    last, code = await closing(server.ws + path)
    assert (last["code"], code) == ("no_such_address", 4404)


def expired_token():
    signer = signing.TimestampSigner(salt="numgames.guest", sep=".")
    return signer.sign("1")[:-3] + "abc"


@pytest.mark.parametrize(
    "token",
    ["nonsense", "1.2.3", expired_token(), ""],
    ids=["nonsense", "parts", "forged", "empty"],
)
async def test_a_socket_with_an_invalid_token_is_closed_with_a_message(server, token):
    match_id = new_match(server, new_guest(server))
    url = f"{server.ws}/ws/match/{match_id}/"
    headers = {"Authorization": f"Bearer {token}"}
    if token == "":
        last, _ = await first_message(url, additional_headers=headers)
        assert last["type"] == "snapshot"
        return
    for keywords in (
        {"additional_headers": headers},
        {"subprotocols": ["numgames", f"bearer.{token}"]},
        {"additional_headers": {"Cookie": f"guest={token}"}},
    ):
        last, code = await closing(url, **keywords)
        assert (last["code"], code) == ("bad_token", 4401)


async def first_message(url, **keywords):
    async with websockets.connect(url, **keywords) as socket:
        return json.loads(await asyncio.wait_for(socket.recv(), 10)), socket.subprotocol


def test_an_expired_token_is_refused(monkeypatch):
    token = identity.token_for(7)
    assert identity.guest_id_from(token) == 7
    monkeypatch.setattr(identity, "MAX_AGE", -1)
    assert identity.guest_id_from(token) is None


async def test_a_token_can_be_sent_as_header_cookie_or_subprotocol(server):
    token = new_guest(server)
    match_id = new_match(server, token)
    url = f"{server.ws}/ws/match/{match_id}/"
    for keywords, echoed in (
        ({"additional_headers": {"Authorization": f"Bearer {token}"}}, None),
        ({"additional_headers": {"Cookie": f"guest={token}"}}, None),
        ({"subprotocols": ["numgames", f"bearer.{token}"]}, "numgames"),
    ):
        snapshot, subprotocol = await first_message(url, **keywords)
        assert snapshot["you"] == [1]
        assert subprotocol == echoed
    # Never in the URL, which would end up in logs.
    snapshot, _ = await first_message(f"{url}?token={token}")
    assert snapshot["you"] == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_foreign_origin_is_refused(server, origin):
    match_id = new_match(server, new_guest(server))
    with pytest.raises(InvalidStatus) as caught:
        await first_message(f"{server.ws}/ws/match/{match_id}/", origin=origin)
    assert caught.value.response.status_code == 403


async def test_our_own_origin_is_accepted(server):
    match_id = new_match(server, new_guest(server))
    url = f"{server.ws}/ws/match/{match_id}/"
    assert (await first_message(url, origin=server.http))[0]["type"] == "snapshot"


async def flood_with(socket):
    """Send about 2,000 messages a second, for at most ten seconds."""
    for _ in range(1_000):
        for _ in range(20):
            await socket.send("x")
        await asyncio.sleep(0.01)


async def test_a_client_that_floods_is_disconnected_and_others_can_play_on(server):
    match_id, one, two = new_pair(server)
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
    ):
        flood = websockets.connect(f"{server.ws}/ws/match/{match_id}/")
        async with flood as socket:

            async def drain():
                async for _ in socket:
                    pass

            draining = asyncio.create_task(drain())
            with pytest.raises(ConnectionClosed) as caught:
                await flood_with(socket)
            assert caught.value.rcvd.code == 4429
            await asyncio.wait([draining])
            assert isinstance(draining.exception(), ConnectionClosed)
        assert (await first.played(6))["type"] == "update"
        await second.until(1)
        assert (await second.played(3))["type"] == "update"


async def test_a_player_at_full_speed_is_not_treated_as_a_flood(server):
    """Play the longest possible matches without a pause."""

    token = new_guest(server)
    made = 0
    while made < 300:
        match_id = new_match(server, token, "chain-factor", same_device=True, options={"pool": 100})
        async with connected(server, match_id, token) as client:
            while client.board["outcome"] is None:
                assert (await client.played(client.board["legal"][0]))["type"] == "update"
                made += 1


async def send_and_drain(socket, text):
    await socket.send(text)
    while True:
        await asyncio.wait_for(socket.recv(), 10)


async def test_a_huge_message_closes_only_the_socket_that_sent_it(server):
    match_id, one, _two = new_pair(server)
    async with connected(server, match_id, one) as honest:
        async with websockets.connect(f"{server.ws}/ws/match/{match_id}/") as socket:
            with pytest.raises(ConnectionClosed):
                await send_and_drain(socket, "x" * 1_000_000)
        assert (await honest.played(6))["type"] == "update"


def test_the_server_survives_broken_handshakes(server):
    match_id = new_match(server, new_guest(server))
    for headers in (
        {"Upgrade": "websocket"},
        {"Upgrade": "websocket", "Connection": "Upgrade"},
        {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "x"},
    ):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", f"/ws/match/{match_id}/", headers=headers)
        assert connection.getresponse().status >= 400
        connection.close()
    assert post(server, "/api/guests/")[0] == 201


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("limited")) as server:
        yield server


def test_sixty_guests_from_one_address_can_join_at_once_but_a_thousand_cannot(limited):
    tokens = [new_guest(limited) for _ in range(60)]
    for one, two in zip(tokens[::2], tokens[1::2], strict=True):
        match_id = new_match(limited, one)
        assert post(limited, f"/api/matches/{match_id}/join/", {}, two)[0] == 200
    statuses = {post(limited, "/api/guests/")[0] for _ in range(200)}
    assert statuses == {201, 429}
    created = [
        post(limited, "/api/matches/", {"game": "chain-factor"}, tokens[0])[0] for _ in range(30)
    ]
    assert created[:10] == [201] * 10
    assert created[-1] == 429


async def test_guessing_ids_is_limited_and_playing_is_not(limited):
    statuses = [get(limited, "/api/matches/zzzzzzzz/")[0] for _ in range(90)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    last, code = await closing(f"{limited.ws}/ws/match/zzzzzzzz/")
    assert (last["code"], code) == ("too_many", 4429)
