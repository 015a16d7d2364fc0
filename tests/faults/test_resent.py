"""Clients send all their old requests again, as fast as they may: nobody else notices."""

import asyncio
import time
import urllib.request
from contextlib import AsyncExitStack

import pytest
import websockets

from games.live.meter import BURST
from games.live.resent import LONGEST_QUEUE
from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import connected, new_guest, new_match, new_pair

SOCKETS, MATCHES, MOVES = 40, 20, 80
SECONDS = 8
# In seconds.
PEOPLE_MOVE_WITHIN = 0.25
PAGES_COME_WITHIN = 1.0


async def long_match(server):
    """Play a long match on one device; return its id, the token, and the ids of its moves."""
    token = await asyncio.to_thread(new_guest, server)
    match_id = await asyncio.to_thread(
        new_match, server, token, "chain-factor", same_device=True, options={"pool": 100}
    )
    async with connected(server, match_id, token) as client:
        while client.version < MOVES:
            await client.played(client.board["legal"][-1])
    return match_id, token, [f"c{number}" for number in range(1, MOVES + 1)]


def again(client_id):
    return f'{{"type":"move","move":1,"version":0,"id":"{client_id}"}}'


async def send_again(socket, ids, until):
    """Send these ids again and again, almost as many as a socket may send at once."""
    sent = 0
    while time.monotonic() < until:
        for _ in range(BURST // SECONDS // 11):
            await socket.send(again(ids[sent % len(ids)]))
            sent += 1
        await asyncio.sleep(0.1)


async def drain(socket):
    async for _ in socket:
        pass


async def time_pages(server, until):
    def fetch():
        begin = time.monotonic()
        with urllib.request.urlopen(server.http, timeout=30) as response:
            response.read()
        return time.monotonic() - begin

    times = []
    while time.monotonic() < until:
        times.append(await asyncio.to_thread(fetch))
        await asyncio.sleep(0.1)
    return times


@pytest.mark.parametrize(
    "which", [slice(0, -1), slice(-1, None)], ids=["all but the last", "the last"]
)
async def test_ids_sent_again_by_many_delay_nobody(alone, measured, which):
    matches = await asyncio.gather(*(long_match(alone) for _ in range(MATCHES)))
    other, *tokens = await asyncio.to_thread(new_pair, alone, "chain-factor", options={"pool": 100})
    async with (
        joined(*(Player(lambda: alone.ws, other, token) for token in tokens)) as two,
        AsyncExitStack() as stack,
        asyncio.TaskGroup() as reading,
    ):
        sockets = []
        for number in range(SOCKETS):
            match_id, token, ids = matches[number % MATCHES]
            socket = await stack.enter_async_context(
                websockets.connect(
                    f"{alone.ws}/ws/match/{match_id}/",
                    additional_headers={"Authorization": f"Bearer {token}"},
                    ping_interval=None,
                )
            )
            reading.create_task(drain(socket))
            sockets.append((socket, ids[which]))
        until = time.monotonic() + SECONDS
        attacking = asyncio.gather(*(send_again(*each, until) for each in sockets))
        moves, pages, _ = await asyncio.gather(
            play_beside(two, attacking), time_pages(alone, until), attacking
        )
        for socket, _ in sockets:
            await socket.close()
    slow = p99(moves)
    measured["people's moves, p99, slowest"] = [slow, max(moves)]
    measured["pages, slowest"] = max(pages)
    measured["moves, pages"] = len(moves), len(pages)
    assert slow < PEOPLE_MOVE_WITHIN
    assert max(pages) < PAGES_COME_WITHIN


async def test_all_old_ids_are_answered_in_the_end_if_the_client_keeps_asking(alone):
    match_id, token, ids = await long_match(alone)
    async with connected(alone, match_id, token) as client:
        missing = set(ids)
        async with asyncio.timeout(20):
            while missing:
                asked = sorted(missing)
                for client_id in asked:
                    await client.socket.send(again(client_id))
                # The last one is answered at once, and the first twenty others soon.
                for _ in range(min(len(asked), LONGEST_QUEUE)):
                    missing.discard((await client.receive("update"))["id"])
    versions = {
        message["id"]: message["version"] for message in client.inbox if "events" in message
    }
    assert versions == {client_id: number for number, client_id in enumerate(ids, 1)}
