"""The server is killed, as when the system runs out of memory, and restarted."""

import asyncio
import signal
import time
from random import Random

import pytest

from tests.faults.load import Load
from tests.faults.truth import Database
from tests.serving import serving


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.faults_long)])
async def test_a_killed_server_loses_no_acknowledged_move(tmp_path, measured, kills):
    with serving(tmp_path, NUMGAMES_LIMITS="off") as server:
        rng = Random(kills)
        slowest = lost_time = 0.0
        async with Load(Database(str(tmp_path / "numgames.sqlite3")), think=0.05) as load:
            await load.open(server, tables=8, spectators=[lambda: server.ws])
            for _ in range(kills):
                await asyncio.sleep(0.3 + rng.random())
                begin = time.monotonic()
                await asyncio.to_thread(server.end, signal.SIGKILL)
                await asyncio.to_thread(load.check_records)
                await asyncio.to_thread(server.start)
                slowest = max(slowest, await load.everybody_back(10))
                lost_time = max(lost_time, time.monotonic() - begin)
            equal = await load.converged(10)
            measured["acknowledged moves"] = load.acknowledged
            measured["slowest reconnect after the restart"] = slowest
            measured["slowest reconnect after the kill"] = lost_time
            measured["converged after"] = equal
