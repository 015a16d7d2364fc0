"""Someone opens hundreds of connections on a server with few descriptors: others play on."""

import json
import time
from contextlib import ExitStack, suppress

import pytest
from websockets.frames import Frame, Opcode

from games.live.door import BY_GUEST
from tests.faults.beside import UNHURT, attacked, p99
from tests.faults.metrics import await_no_sockets
from tests.faults.process import handles
from tests.faults.raw import ELSEWHERE, RawSocket, raw, read_to_the_end
from tests.live.client import fresh, new_guest, new_match, new_pair, page, post
from tests.serving import serving

# The limit of the server, and how many connections are opened.
FEW, MANY = 256, 300
SECONDS = 3
PING = Frame(Opcode.TEXT, b'{"type":"ping","version":0}').serialize(mask=True)


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(request, tmp_path_factory):
    data = tmp_path_factory.mktemp("sockets")
    with serving(data, descriptors=FEW, NUMGAMES_SERVER=request.param) as server:
        # Let it open its own files.
        new_pair(server)
        assert page(server, "/")[0] == 200
        yield server


def hold(stack, make):
    """Open many connections with `make`, keep them, and return them."""
    opened = []
    for _ in range(MANY):
        with suppress(ConnectionError):
            opened.append(stack.enter_context(make()))
    return opened


def silent(server, address):
    return lambda: raw(server, address)


def lobby(server, address):
    return lambda: RawSocket(server, "/ws/lobby/", address)


@pytest.mark.parametrize("make", [silent, lobby], ids=["connections", "sockets"])
@pytest.mark.parametrize("address", [ELSEWHERE, "127.0.0.1"], ids=["elsewhere", "same address"])
async def test_idle_connections_do_not_stop_two_players(server, measured, make, address):
    """From another address, and from that of the players: they come in because they play."""
    handles_before = handles(server.process.pid)

    def attack():
        with ExitStack() as stack:
            hold(stack, make(server, address))
            time.sleep(SECONDS)
            return handles(server.process.pid)

    most, moves = await attacked(server, attack)
    measured["descriptors"] = most
    measured["others' moves, p99, slowest"] = [p99(moves), max(moves)]
    assert len(moves) > 20
    assert p99(moves) < UNHURT
    assert most < FEW - 20
    gone(server, handles_before)


def gone(server, number):
    """Wait until the server has closed everything but this many files and sockets, and a few."""
    until = time.monotonic() + 10
    while handles(server.process.pid) > number + 10:
        assert time.monotonic() < until, "The server keeps descriptors."
        time.sleep(0.05)


def test_moves_are_saved_while_connections_are_held(server):
    with ExitStack() as stack:
        hold(stack, silent(server, ELSEWHERE))
        hold(stack, lobby(server, ELSEWHERE))
        match_id, one, two = new_pair(server)
        path = f"/ws/match/{match_id}/"
        players = [stack.enter_context(RawSocket(server, path, token=one)) for one in (one, two)]
        for version, (player, number) in enumerate(zip(players, (6, 3), strict=True)):
            move = {"type": "move", "move": number, "version": version, "id": "a"}
            player.protocol.send_text(json.dumps(move).encode())
            player.connection.sendall(b"".join(player.protocol.data_to_send()))
            while not any('"update"' in text for text in players[0].texts[-version - 1 :]):
                assert players[0].read()
        assert fresh(server, match_id)["version"] == 2
        assert page(server, "/")[0] == 200


def refusal(socket):
    code = socket.closed_with()
    return code, json.loads(socket.texts[-1])["code"]


def first_message(socket):
    while not socket.texts:
        assert socket.read()
    return json.loads(socket.texts[0])["type"]


def test_the_sockets_of_an_address_that_has_too_many_are_told(server):
    with ExitStack() as stack:
        opened = hold(stack, lobby(server, ELSEWHERE))
        assert refusal(opened[-1]) == (4429, "too_many")
        with RawSocket(server, "/ws/lobby/") as other:
            # The first message may have come together with the handshake's answer.
            while not other.texts:
                assert other.read()
            assert json.loads(other.texts[0])["type"] == "lobby"


def test_when_the_site_is_full_only_players_come_in(server):
    token = new_guest(server)
    own, foreign = new_match(server, token), new_match(server, new_guest(server))
    with ExitStack() as stack:
        for number in range(3, 6):
            opened = hold(stack, lobby(server, f"127.0.0.{number}"))
        assert refusal(opened[-1])[0] in (4429, 4503)
        for path, who in (("/ws/lobby/", None), (f"/ws/match/{foreign}/", token)):
            with RawSocket(server, path, token=who) as spectator:
                assert refusal(spectator) == (4503, "site_full")
        with RawSocket(server, f"/ws/match/{own}/", token=token) as player:
            assert first_message(player) == "snapshot"


def test_a_guest_with_too_many_sockets_is_told(server):
    token = new_guest(server)
    path = f"/ws/match/{new_match(server, token)}/"
    with ExitStack() as stack:
        for _ in range(BY_GUEST):
            opened = stack.enter_context(RawSocket(server, path, token=token))
            assert first_message(opened) == "snapshot"
        assert refusal(stack.enter_context(RawSocket(server, path, token=token))) == (
            4429,
            "too_many",
        )
    await_no_sockets(server)
    with RawSocket(server, path, token=token) as again:
        assert first_message(again) == "snapshot"


def test_connections_that_must_go_are_told(server):
    with ExitStack() as stack:
        first, *_ = hold(stack, silent(server, ELSEWHERE))
        assert read_to_the_end(first).startswith(b"HTTP/1.1 503")
        assert post(server, "/api/guests/")[0] == 201


@pytest.mark.faults_long
@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
async def test_a_school_behind_one_address_plays_and_nobody_is_closed(tmp_path, measured, name):
    """600 people with two pages each, which send a ping every 2.5 seconds, and sometimes more."""
    with serving(tmp_path, NUMGAMES_SERVER=name) as server:
        match_id, *_ = new_pair(server)
        path = f"/ws/match/{match_id}/"

        def attend():
            with ExitStack() as stack:
                pages = [
                    stack.enter_context(RawSocket(server, path, ELSEWHERE)) for _ in range(1200)
                ]
                until = time.monotonic() + 20
                count = 0
                while time.monotonic() < until:
                    count += 1
                    for number, one in enumerate(pages):
                        sent = PING * (10 if (count + number) % 7 == 0 else 1)
                        one.connection.sendall(sent)
                        one.read()
                        if number % 5 == 0:
                            time.sleep(0.008)
                return [one.protocol.close_rcvd for one in pages]

        closed, moves = await attacked(server, attend)
        measured["others' moves, p99, slowest"] = [p99(moves), max(moves)]
        assert closed == [None] * 1200
        assert p99(moves) < UNHURT
