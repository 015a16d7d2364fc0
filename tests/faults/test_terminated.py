"""The server is stopped and restarted, as in a deployment."""

import asyncio
import time

from tests.faults.load import Load
from tests.faults.truth import Database


async def test_two_hundred_sockets_reconnect_and_lose_nothing(alone, measured):
    here = [lambda: alone.ws]
    async with Load(Database(str(alone.data / "numgames.sqlite3")), think=0.5) as load:
        await load.open(alone, tables=20, spectators=here * 8)
        assert len(load.present) == 200
        begin = time.monotonic()
        await asyncio.to_thread(alone.end)
        await asyncio.to_thread(load.check_records)
        await asyncio.to_thread(alone.start)
        await load.everybody_back(15 - (time.monotonic() - begin))
        measured["all back after"] = time.monotonic() - begin
        await load.converged(10)
        measured["acknowledged moves"] = load.acknowledged
