"""A crowd opens the pages of matches and connects, while two people play."""

import asyncio
import time
from random import Random

import pytest

from tests.faults.beside import UNHURT, p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import new_pair

# Everybody is connected this many seconds after the last one may have come.
LATEST = 1.0


async def page_of(server, match_id):
    """Get a match's page on a new connection; return its first line and whether it has a board."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(
            f"GET /m/{match_id}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
    finally:
        writer.close()
    return answer.partition(b"\r\n")[0], b'<script id="snapshot"' in answer


@pytest.mark.parametrize("server", ["alone", "uvicorn"])
@pytest.mark.parametrize(
    ("people", "seconds"), [(60, 1), pytest.param(300, 3, marks=pytest.mark.faults_long)]
)
async def test_a_crowd_that_arrives_gets_in_and_hurts_nobody(
    request, measured, server, people, seconds
):
    server = request.getfixturevalue(server)
    rng = Random(1)
    # Each match has two players and eight spectators.
    matches = [await asyncio.to_thread(new_pair, server) for _ in range(people // 10)]
    crowd = [
        Player(lambda: server.ws, match_id, token)
        for match_id, one, two in matches
        for token in (one, two, *[None] * 8)
    ]
    playing = await asyncio.to_thread(new_pair, server, "chain-factor", options={"pool": 100})
    match_id, *tokens = playing
    connected = []

    async def arrive(player):
        await asyncio.sleep(seconds * rng.random())
        assert await page_of(server, player.match_id) == (b"HTTP/1.1 200 OK", True)
        async with joined(player):
            connected.append(time.monotonic())
            await everybody.wait()

    everybody = asyncio.Event()
    async with joined(*(Player(lambda: server.ws, match_id, token) for token in tokens)) as two:
        begin = time.monotonic()
        arriving = [asyncio.ensure_future(arrive(player)) for player in crowd]
        all_in = asyncio.ensure_future(until(lambda: len(connected) == len(crowd), arriving))
        moves = await play_beside(two, all_in, think=0.02)
        await all_in
        everybody.set()
        await asyncio.gather(*arriving)
    measured["all connected after"] = max(connected) - begin
    measured["p99 of the moves beside"] = p99(moves)
    assert max(connected) - begin < seconds + LATEST
    assert moves
    assert p99(moves) < UNHURT


async def until(is_true, tasks):
    """Wait until something is true; raise what one of the tasks has raised."""
    async with asyncio.timeout(30):
        while not is_true():
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)
