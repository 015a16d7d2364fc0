"""One of two processes is killed: everybody continues on the other."""

import asyncio
import signal
import time
from itertools import cycle

import pytest

from tests.faults.load import Load


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.faults_long)])
async def test_play_continues_on_the_other_process(pair, database, measured, kills):
    def either(first):
        """Return an address that alternates between the processes, like a load balancer."""
        servers = cycle(pair if first == 0 else reversed(pair))
        return lambda: next(servers).ws

    for server in pair:
        # The remaining process may fail to publish its last messages to Redis.
        server.expected.append("Redis is away")
    slowest = 0.0
    async with Load(database) as load:
        for _ in range(6):
            await load.open(
                pair[0], 1, seats=(either(0), either(1)), spectators=(either(0), either(1))
            )
        for number in range(kills):
            await asyncio.sleep(0.5)
            killed = pair[number % 2]
            begin, before = time.monotonic(), load.acknowledged
            await asyncio.to_thread(killed.end, signal.SIGKILL)
            await load.everybody_back(10)
            slowest = max(slowest, time.monotonic() - begin)
            # With everyone on one process, play continues at every table.
            await load.everybody_sees_a_move(10)
            assert load.acknowledged > before
            await asyncio.to_thread(killed.start)
        await load.converged(10)
        measured["slowest reconnect"] = slowest
        measured["acknowledged moves"] = load.acknowledged
