"""Players come, play and leave for a long time: afterwards nothing is left of them."""

import asyncio
import time
from random import Random
from typing import NamedTuple

import pytest

from tests.faults.load import Load
from tests.faults.process import handles, memory
from tests.live.client import page

# What a process may have grown by, in MB, since it had seen everything.
GROWTH = 12
# The database's pool may have opened connections meanwhile, at most so many, and keeps them.
POOLED = 12


class Holding(NamedTuple):
    """What a process holds when nobody is there."""

    memory: float
    handles: int


async def come_and_go(pair, database, seconds):
    """Some come, play for a while, and leave: most say so, the others just vanish."""
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
    """What it holds once it has noticed that everybody is gone."""
    async with asyncio.timeout(30):
        while 'sockets{page="match"} 0.0' not in await asyncio.to_thread(metrics, server):
            await asyncio.sleep(0.1)
    pid = server.process.pid
    return Holding(memory(pid), handles(pid))


def metrics(server):
    return page(server, "/metrics/")[1]


@pytest.mark.parametrize("seconds", [5, pytest.param(30 * 60, marks=pytest.mark.faults_long)])
async def test_nothing_is_left_of_those_who_left(pair, redis, database, measured, seconds):
    # What they keep ready for whoever comes next, such as positions met before, is soon full.
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
