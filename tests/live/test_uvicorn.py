"""The same server on uvicorn, which writes one frame for everyone in a room."""

import asyncio
import signal
from random import Random

import pytest

from games.live.socket import frame_of
from games.rules import GAMES
from tests.live.client import connected, new_pair
from tests.live.test_matches import random_match
from tests.serving import Server, serving


@pytest.fixture(scope="module")
def uvicorn(tmp_path_factory):
    data = tmp_path_factory.mktemp("uvicorn")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_SERVER="uvicorn") as server:
        yield server


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_played_with_a_spectator(uvicorn, slug):
    asyncio.run(random_match(uvicorn, slug, {}, Random(2)))


def test_a_long_match_has_updates_of_more_than_one_size_of_frame(uvicorn):
    # Of 100 numbers, an update says of most why they may not be played.
    asyncio.run(random_match(uvicorn, "chain-factor", {"pool": 100}, Random(3)))


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
