"""The site on each server, with the fast path for websocket frames and without."""

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, closing, suppress
from http.client import HTTPException
from pathlib import Path
from queue import Queue
from random import Random
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
import websockets
from websockets.frames import Frame, Opcode

from games.live.live_match import SOCKETS_AT_ONCE
from games.live.meter import BURST
from games.rules import GAMES
from tests.live.client import Client, connected, new_guest, new_pair, post
from tests.live.test_matches import random_match
from tests.servers.test_codec import client_frame
from tests.serving import ROOT, Server, serving


@pytest.fixture(scope="module")
def uvicorn(tmp_path_factory):
    data = tmp_path_factory.mktemp("uvicorn")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_SERVER="uvicorn") as server:
        yield server


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """daphne without our entry point and its fast path."""
    data = tmp_path_factory.mktemp("plain")
    environment = {**os.environ, "NUMGAMES_DATA": str(data), "NUMGAMES_LIMITS": "off"}
    prepare = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(prepare, cwd=ROOT, env=environment, check=True, timeout=60)
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        port, number = listener.getsockname()[1], str(listener.fileno())
        command = [sys.executable, "-m", "daphne", "--verbosity", "0", "--fd", number]
        process = subprocess.Popen(
            [*command, "numgames_site.asgi:application"],
            cwd=ROOT,
            env=environment,
            pass_fds=[listener.fileno()],
        )
        try:
            yield SimpleNamespace(http=f"http://127.0.0.1:{port}", ws=f"ws://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture(params=["server", "uvicorn", "plain"])
def each(request):
    """Each of our entry points for daphne and uvicorn, and daphne's own."""
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("slug", GAMES)
async def test_every_game_can_be_played_with_a_spectator(each, slug):
    await random_match(each, slug, {}, Random(2))


async def test_a_long_match_works_with_frames_of_different_header_sizes(each):
    # With 100 numbers, an update explains for most of them why they can't be played.
    await random_match(each, "chain-factor", {"pool": 100}, Random(3))


async def test_many_spectators_get_every_update_once_and_in_order(each):
    """There are more of them than one batch holds, and the players don't wait for them."""

    match_id, one, two = new_pair(each, "chain-factor", options={"pool": 40})
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(connected(each, match_id, token))
            for token in (one, two)
        ]
        crowd = [
            await stack.enter_async_context(connected(each, match_id))
            for _ in range(3 * SOCKETS_AT_ONCE)
        ]
        first = players[0]
        while first.board["outcome"] is None:
            mover = players[first.board["turn"] - 1]
            await mover.played(first.board["legal"][-1])
            await first.until(mover.version)
            await players[1].until(mover.version)
        for spectator in crowd:
            await spectator.until(first.version)
            heard = [one["version"] for one in spectator.inbox if one["type"] == "update"]
            assert heard == list(range(1, first.version + 1))
            assert spectator.board["history"] == first.board["history"]


async def test_messages_sent_before_the_match_is_loaded_are_answered_in_order(each):
    match_id, one, _ = new_pair(each)
    headers = {"Authorization": f"Bearer {one}"}
    async with websockets.connect(
        f"{each.ws}/ws/match/{match_id}/", additional_headers=headers
    ) as opened:
        for text in (
            '{"type":"move","move":6,"version":0,"id":"a"}',
            '{"type":"move","move":3,"version":1,"id":"b"}',
            '{"type":"ping","version":0}',
        ):
            await opened.send(text)
        client = Client(opened)
        await client.receive("snapshot")
        assert (await client.receive("rejected"))["id"] == "b"
        moved = [one for one in client.inbox if one["type"] == "update"]
        assert [update["id"] for update in moved] == ["a"]


def sent_in(server, match_id, chunks):
    """Send each chunk for a separate read on a raw socket; return how many pings are answered."""
    port = int(server.ws.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [
            f"GET /ws/match/{match_id}/ HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        heard = b""
        while b'"snapshot"' not in heard:
            heard += raw.recv(65536)
        for chunk in chunks:
            raw.sendall(chunk)
            until = time.monotonic() + 10
            while unread_by(port, raw.getsockname()[1]):
                assert time.monotonic() < until, "The server isn't reading."
                time.sleep(0.001)
        # The server closes the socket when it has answered everything.
        raw.sendall(b"\x88\x82\0\0\0\0\x03\xe8")
        while received := raw.recv(65536):
            heard += received
        return heard.count(b'"pong"')


def unread_by(port, other):
    """Return how many bytes from the socket at `other` the server has not read yet."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, here, there, _, queues = line.split()[:5]
        if int(here.partition(":")[2], 16) == port and int(there.partition(":")[2], 16) == other:
            return int(queues.partition(":")[2], 16)
    return 0


PING = client_frame('{"type":"ping","version":0}')
LONG_PING = client_frame('{"type":"ping",' + " " * 200 + '"version":0}')
FRAGMENTS = [
    Frame(Opcode.TEXT, b'{"type":"ping",', fin=False).serialize(mask=True),
    Frame(Opcode.CONT, b'"version":0}').serialize(mask=True),
]
CUTS = {
    "one by one": [PING, PING],
    "together": [PING + PING],
    "cut after a byte": [PING[:1], PING[1:], PING],
    "cut in the mask": [PING[:4], PING[4:], PING],
    "cut in the text": [PING[:12], PING[12:] + PING],
    "one and a half": [PING + PING[:9], PING[9:]],
    "a long one": [LONG_PING, PING],
    "after a pong": [b"\x8a\x80\0\0\0\0", PING, PING],
    "after a ping": [b"\x89\x84abcdabcd", PING, PING],
    "with a pong": [PING + b"\x8a\x80\0\0\0\0", PING],
    "half a pong": [b"\x8a\x84ab", b"cdabcd", PING, PING],
    "a ping that contains a text frame": [bytes((0x89, 0x80 + len(PING), 0, 0, 0, 0)), *[PING] * 3],
    "fragments": [FRAGMENTS[0], FRAGMENTS[1], PING],
    "fragments around a ping": [FRAGMENTS[0], b"\x89\x80\0\0\0\0", FRAGMENTS[1], PING],
}


@pytest.mark.parametrize("chunks", CUTS.values(), ids=CUTS)
def test_texts_arrive_however_the_network_splits_them(each, chunks):
    match_id, *_ = new_pair(each)
    assert sent_in(each, match_id, chunks) == 2


WRONG = {
    "a text within a text": [FRAGMENTS[0], PING],
    "unmasked": [b"\x81\x02hi"],
    "invalid UTF-8": [b"\x81\x82\0\0\0\0\xff\xfe"],
    "reserved bits": [b"\xc1" + PING[1:]],
    "after the end": [b"\x88\x82\0\0\0\0\x03\xe8" + PING],
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_after_a_protocol_error_further_messages_are_ignored(each, wrong):
    match_id, *_ = new_pair(each)
    try:
        answered = sent_in(each, match_id, [PING, *wrong, PING])
    except ConnectionError:
        return
    assert answered == 1


@pytest.mark.parametrize("page", ["match", "lobby"])
async def test_a_flood_is_closed_even_if_the_server_does_not_count(each, page):
    match_id, *_ = new_pair(each)
    path = {"match": f"/ws/match/{match_id}/", "lobby": "/ws/lobby/"}[page]
    async with websockets.connect(each.ws + path, max_queue=None) as socket:
        with suppress(websockets.ConnectionClosed):
            for _ in range(3 * BURST):
                await socket.send("x")
        await asyncio.wait_for(socket.wait_closed(), 10)
        assert socket.close_code == 4429


async def test_stopping_uvicorn_logs_nothing(tmp_path):
    server = Server(tmp_path, NUMGAMES_SERVER="uvicorn")

    match_id, one, _ = new_pair(server)
    async with connected(server, match_id, one):
        server.end(signal.SIGTERM)
    assert server.log.read_text() == ""


@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
def test_the_server_stops_at_once_even_while_it_is_serving_pages(tmp_path, name):
    server = Server(tmp_path, NUMGAMES_SERVER=name, NUMGAMES_LIMITS="off")
    answers = Queue()

    def ask():
        while server.is_up:
            with suppress(OSError, HTTPException), urlopen(server.http, timeout=10) as answer:
                answers.put(answer.status)

    with ThreadPoolExecutor() as people:
        for _ in range(4):
            people.submit(ask)
        try:
            assert [answers.get(timeout=30) for _ in range(20)] == [200] * 20
        finally:
            # The threads send requests until the server is down, so stop it even after a failure.
            begin = time.monotonic()
            server.end()
    assert time.monotonic() - begin < 5
    assert server.log.read_text() == ""


def is_closed(port):
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
def test_a_server_that_stops_closes_its_port_and_finishes_the_requests_it_has(tmp_path, name):
    server = Server(tmp_path, NUMGAMES_SERVER=name)
    token = new_guest(server)
    with (
        closing(sqlite3.connect(tmp_path / "numgames.sqlite3", isolation_level=None)) as database,
        ThreadPoolExecutor() as pool,
    ):
        database.execute("BEGIN IMMEDIATE")
        new = {"game": "chain-factor"}
        asking = pool.submit(post, server, "/api/matches/", new, token)
        try:
            with urlopen(f"{server.http}/health/alive/", timeout=10):
                assert not asking.done()  # it waits for the database
            server.process.send_signal(signal.SIGTERM)
            until = time.monotonic() + 2
            while not is_closed(server.port):
                assert time.monotonic() < until, "The port is still open."
            assert not asking.done()
        finally:
            database.execute("ROLLBACK")
            server.end()
        assert asking.result()[0] == 201
    assert server.log.read_text() == ""


@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
async def test_a_server_that_stops_tells_its_sockets_that_it_restarts(tmp_path, name):
    server = Server(tmp_path, NUMGAMES_SERVER=name)
    match_id, one, _ = new_pair(server)
    async with connected(server, match_id, one) as client:
        await asyncio.to_thread(server.end)
        with pytest.raises(websockets.ConnectionClosed):
            await client.receive("snapshot")
        assert client.socket.close_code == 1012
