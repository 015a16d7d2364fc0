"""A client sends frames of any kind as fast as it can: it is disconnected, and others play on."""

import json
import time
from contextlib import suppress

import pytest
from websockets.frames import Frame, Opcode

from games.live.frames.counter import LONGEST_MESSAGE
from tests.faults.beside import UNHURT, attacked, p99
from tests.faults.raw import ELSEWHERE, RawSocket
from tests.live.client import new_pair
from tests.serving import serving

SECONDS = 3


@pytest.fixture(
    scope="module",
    params=[
        ("daphne", "on"),
        ("daphne", "off"),
        ("uvicorn", "on"),
        ("uvicorn", "off"),
    ],
    ids=" with frames ".join,
)
def server(request, tmp_path_factory):
    name, frames = request.param
    data = tmp_path_factory.mktemp("frames")
    with serving(data, NUMGAMES_SERVER=name, NUMGAMES_FRAMES=frames) as server:
        yield server


def frames(opcode, payload=b"", *, fin=True, number=1):
    return Frame(opcode, payload, fin).serialize(mask=True) * number


FLOODS = {
    "pings": frames(Opcode.PING, number=5000),
    "pongs": frames(Opcode.PONG, number=5000),
    "empty texts": frames(Opcode.TEXT, number=5000),
    "empty continuations": frames(Opcode.TEXT, fin=False)
    + frames(Opcode.CONT, fin=False, number=5000),
    "binary data": frames(Opcode.BINARY, number=5000),
    "long binary data": frames(Opcode.BINARY, b"x" * 100_000, number=100),
}


@pytest.fixture(scope="module")
def paths(server):
    match_id, *_ = new_pair(server)
    return {"match": f"/ws/match/{match_id}/", "lobby": "/ws/lobby/"}


@pytest.mark.parametrize("page", ["match", "lobby"])
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_frames_of_every_kind_count_as_messages(server, paths, page, flood):
    with RawSocket(server, paths[page]) as socket:
        with suppress(ConnectionError):  # the server doesn't read to the end
            socket.connection.sendall(flood)
        assert socket.closed_with() == 4429
        assert json.loads(socket.texts[-1])["code"] == "too_many"


@pytest.mark.parametrize("page", ["match", "lobby"])
@pytest.mark.parametrize("size", [LONGEST_MESSAGE + 1, 2**40])
def test_a_message_above_the_limit_closes_with_1009(server, paths, page, size):
    header = b"\x81\xff" + size.to_bytes(8) + b"\0\0\0\0"
    with RawSocket(server, paths[page]) as socket:
        socket.connection.sendall(header)
        assert socket.closed_with() == 1009


def test_a_message_below_the_limit_is_answered(server, paths):
    with RawSocket(server, paths["match"]) as socket:
        socket.connection.sendall(frames(Opcode.TEXT, b"x" * LONGEST_MESSAGE))
        while not any('"rejected"' in text for text in socket.texts):
            assert socket.read()
        assert json.loads(socket.texts[-1])["code"] == "too_long"


@pytest.mark.parametrize("kind", ["pings", "empty continuations"])
async def test_others_do_not_notice_a_flood(server, paths, measured, kind):
    """The attacker reconnects again and again, and never reads."""

    def attack():
        until = time.monotonic() + SECONDS
        sockets = 0
        while time.monotonic() < until:
            with RawSocket(server, paths["lobby"], ELSEWHERE) as socket:
                sockets += 1
                with suppress(OSError):
                    while time.monotonic() < until:
                        socket.connection.sendall(FLOODS[kind])
        return sockets

    sockets, moves = await attacked(server, attack)
    measured["sockets"] = sockets
    measured["others' moves, p99, slowest"] = [p99(moves), max(moves)]
    assert p99(moves) < UNHURT


async def test_others_do_not_notice_many_busy_sockets_of_one_address(server, paths, measured):
    """Long before one of them has sent as much as a socket may, all of them are a flood."""
    pings = frames(Opcode.TEXT, b'{"type":"ping","version":0}', number=20)

    def attack():
        sockets = [RawSocket(server, paths["match"], ELSEWHERE) for _ in range(60)]
        try:
            until = time.monotonic() + SECONDS
            while time.monotonic() < until:
                for socket in sockets:
                    with suppress(OSError):
                        socket.connection.sendall(pings)
                time.sleep(0.02)
            return [socket.closed_with() for socket in sockets]
        finally:
            for socket in sockets:
                socket.connection.close()

    codes, moves = await attacked(server, attack)
    measured["others' moves, p99, slowest"] = [p99(moves), max(moves)]
    assert set(codes) <= {4429, 4408, None}
    assert codes.count(4429) > 50
    assert p99(moves) < UNHURT
