"""The site on each server it can run on, with their shortcuts past ASGI and without."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import AsyncExitStack
from random import Random
from types import SimpleNamespace

import pytest
import websockets

from games.live.frames import frame_of
from games.live.hub import SOCKETS_AT_ONCE
from games.rules import GAMES
from tests.live.client import Client, connected, new_pair
from tests.live.test_matches import random_match
from tests.serving import ROOT, Server, serving


@pytest.fixture(scope="module")
def uvicorn(tmp_path_factory):
    data = tmp_path_factory.mktemp("uvicorn")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_SERVER="uvicorn") as server:
        yield server


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """daphne as everybody has it, which knows nothing of our shortcuts."""
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
    """Ours on daphne, ours on uvicorn, and daphne's own."""
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_played_with_a_spectator(each, slug):
    asyncio.run(random_match(each, slug, {}, Random(2)))


def test_a_long_match_has_updates_of_more_than_one_size_of_frame(each):
    # Of 100 numbers, an update says of most why they may not be played.
    asyncio.run(random_match(each, "chain-factor", {"pool": 100}, Random(3)))


def test_a_crowd_hears_everything_once_and_in_order(each):
    """More than are told at once, while the players do not wait for them."""

    async def scenario():
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

    asyncio.run(scenario())


def test_what_comes_before_the_match_has_been_read_is_answered_in_order(each):
    async def scenario():
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

    asyncio.run(scenario())


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_the_standard_says(size):
    frame = frame_of("x" * size)
    assert frame[0] == 0x81
    head = 2 if size < 126 else 4 if size < 65_536 else 10
    assert len(frame) == head + size
    stated = frame[1] if size < 126 else int.from_bytes(frame[2:head])
    assert stated == size


def test_stopping_it_leaves_no_trace_in_the_log(tmp_path):
    server = Server(tmp_path, NUMGAMES_SERVER="uvicorn")

    async def scenario():
        match_id, one, _ = new_pair(server)
        async with connected(server, match_id, one):
            server.end(signal.SIGTERM)

    asyncio.run(scenario())
    assert server.log.read_text() == ""
