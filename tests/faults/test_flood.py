"""A client floods the server: it is disconnected, and nobody else notices."""

import asyncio
import os
import time
from functools import partial

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from tests.faults.player import Player, joined
from tests.faults.process import memory, waited
from tests.live.client import new_guest, new_match, new_pair

A_SECOND = 1000
CLOSED_WITHIN = 2
# A client that doesn't read doesn't answer the close frame either; it is cut off 1 s later.
LINGERS = 1
# Limits during a flood: the mean time of other players' moves in seconds, and memory in MB.
UNHURT = 0.2
FLAT = 10


async def flood(socket, text):
    """Send 1,000 messages a second until the server closes the socket; return the seconds."""
    begin = time.monotonic()
    sent = 0
    try:
        while True:
            due = int((time.monotonic() - begin) * A_SECOND) + 1
            for _ in range(sent, due):
                await socket.send(text)
            sent = due
            await asyncio.sleep(0.01)
    except ConnectionClosed:
        return time.monotonic() - begin


async def long_match(server):
    """Create a match with a long history, so that its snapshot is large."""
    token = await asyncio.to_thread(new_guest, server)
    match_id = await asyncio.to_thread(
        new_match, server, token, "chain-factor", same_device=True, options={"pool": 100}
    )
    async with joined(Player(lambda: server.ws, match_id, token)) as (player,):
        while player.version < 50:
            assert await player.played(player.board["legal"][-1]) is None
    return match_id


async def play(players, flooding, process):
    """Play until the flood is over; return the time of each move and the peak memory."""
    moves, most = [], 0.0
    while not flooding.done():
        mover, waits = players if players[0].may_move else reversed(players)
        begin = time.monotonic()
        assert await mover.played(mover.board["legal"][-1]) is None
        moves.append(time.monotonic() - begin)
        most = max(most, memory(process.pid))
        await waits.until(partial(getattr, waits, "may_move"))
        await asyncio.sleep(0.05)
    return moves, most


async def drain(socket):
    async for _ in socket:
        pass


NONSENSE, BEHIND, AHEAD = (
    "x" * 1000,
    '{"type":"ping","version":0}',
    '{"type":"ping","version":1000000}',
)
FLOODS = {
    "nonsense": (NONSENSE, True),
    "nonsense, without reading": pytest.param(NONSENSE, False, marks=pytest.mark.faults_long),
    "pings with an old version": pytest.param(BEHIND, True, marks=pytest.mark.faults_long),
    "pings with an old version, without reading": (BEHIND, False),
    "pings with a future version": (AHEAD, True),
    "pings with a future version, without reading": pytest.param(
        AHEAD, False, marks=pytest.mark.faults_long
    ),
}


@pytest.mark.parametrize(("text", "reads"), FLOODS.values(), ids=FLOODS)
async def test_a_flooding_client_is_disconnected_and_nobody_else_notices(
    alone, measured, text, reads
):
    match_id = await long_match(alone)
    other, one, two = await asyncio.to_thread(
        new_pair, alone, "chain-factor", options={"pool": 100}
    )
    async with (
        joined(*(Player(lambda: alone.ws, other, token) for token in (one, two))) as players,
        websockets.connect(
            f"{alone.ws}/ws/match/{match_id}/",
            max_queue=None if reads else 1,
            ping_interval=None,
            close_timeout=0,
        ) as socket,
    ):
        processes = os.getpid(), alone.process.pid
        before, idle = memory(alone.process.pid), sum(map(waited, processes))
        draining = asyncio.create_task(drain(socket)) if reads else None
        flooding = asyncio.create_task(flood(socket, text))
        moves, most = await play(players, flooding, alone.process)
        took = await flooding
        if draining:
            await asyncio.wait([draining])
            assert isinstance(draining.exception(), ConnectionClosed)
            assert socket.close_code == 4429
        # Subtract the time lost to other processes on a busy machine.
        busy = sum(map(waited, processes)) - idle
        measured["closed after"] = took
        measured["others' moves, mean, slowest"] = [sum(moves) / len(moves), max(moves)]
        measured["waited for a CPU"] = busy
        measured["MB before, peak"] = round(before), round(most)
        assert took - busy < CLOSED_WITHIN + (0 if reads else LINGERS)
        assert (sum(moves) - busy) / len(moves) < UNHURT
        assert most - before < FLAT
