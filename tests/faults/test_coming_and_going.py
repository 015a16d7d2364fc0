"""Players come, play and leave for a long time without leaking memory or sockets."""

import asyncio
import time
from random import Random
from typing import NamedTuple

import pytest

from tests.faults.load import Load
from tests.faults.metrics import await_no_sockets
from tests.faults.process import handles, memory

# How much a process may grow after warming up, in MB.
GROWTH = 12
# The database pool may open connections and keep them, but fewer than this.
POOLED = 12


class Holding(NamedTuple):
    """The resources a process uses when nobody is connected."""

    memory: float
    handles: int


async def come_and_go(pair, database, seconds):
    """Let players come, play and leave; most close their socket, the others just vanish."""
    rng, moves, visits = Random(1), 0, 0
    near, far = (lambda: pair[0].ws), (lambda: pair[1].ws)
    ends = time.monotonic() + seconds
    while visits == 0 or time.monotonic() < ends:
        visits += 1
        async with Load(database, think=0.05, seed=visits) as load:
            spectators = (near, far) * 3
            await load.open(rng.choice(pair), 4, seats=(near, far), spectators=spectators)
            await asyncio.sleep(2 + rng.random())
            await asyncio.to_thread(load.check_records)
            for player in load.present:
                if rng.random() < 0.2:
                    player.drop()
            moves += load.acknowledged
    return visits, moves


async def at_rest(server):
    """Wait until the server has noticed that everybody left; return what it uses then."""
    await asyncio.to_thread(await_no_sockets, server)
    pid = server.process.pid
    return Holding(memory(pid), handles(pid))


@pytest.mark.parametrize("seconds", [5, pytest.param(30 * 60, marks=pytest.mark.faults_long)])
async def test_players_who_left_use_no_memory_sockets_or_keys(
    pair, redis, database, measured, seconds
):
    # Warm up first, so that caches, such as the one for known positions, are full.
    await come_and_go(pair, database, seconds / 10)
    before = [await at_rest(server) for server in pair]
    keys = redis.keys()
    measured["visits, moves"] = await come_and_go(pair, database, seconds)
    after = [await at_rest(server) for server in pair]
    both = list(zip(before, after, strict=True))
    measured["MB before, after"] = [(round(was.memory), round(now.memory)) for was, now in both]
    measured["handles"] = [(was.handles, now.handles) for was, now in both]
    for was, now in both:
        assert now.memory - was.memory < GROWTH
        assert now.handles - was.handles < POOLED
    assert redis.keys() == keys
