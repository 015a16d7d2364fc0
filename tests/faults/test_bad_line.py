"""Bad connections: broken, slow, half open, or stalled without notice."""

import asyncio
import time

import pytest

from tests.faults.load import Load
from tests.faults.player import Player, joined
from tests.faults.proxy import Proxy
from tests.faults.truth import Database
from tests.live.client import new_pair


async def cut(line, seconds):
    line.refuses = True
    line.cut()
    await asyncio.sleep(seconds)
    line.refuses = False


async def slow(line, seconds):
    line.delay = seconds
    await asyncio.sleep(3 * seconds)
    line.delay = 0


async def half_open(line, seconds):
    line.half_open()
    await asyncio.sleep(seconds)
    line.cut()


async def swallowing(line, seconds):
    line.swallow()
    await asyncio.sleep(seconds)
    line.release()


@pytest.mark.parametrize(
    "seconds", [1, *(pytest.param(s, marks=pytest.mark.faults_long) for s in (10, 30))]
)
async def test_all_boards_agree_and_no_move_counts_twice(alone, measured, seconds):
    """Each fault gets its own tables; one player at each table has the bad connection."""

    async with Load(Database(str(alone.data / "numgames.sqlite3"))) as load:
        lines = [Proxy(alone.port) for _ in range(4)]
        async with lines[0], lines[1], lines[2], lines[3]:
            for line in lines:
                seats = (lambda: alone.ws), (lambda line=line: line.ws)
                await load.open(alone, 3, seats=seats, spectators=seats)
            await asyncio.sleep(1)
            faults = zip((cut, slow, half_open, swallowing), lines, strict=True)
            await asyncio.gather(*(fault(line, seconds) for fault, line in faults))
            back = await load.everybody_back(15)
            await load.converged(10)
            measured["back after"] = back
            measured["acknowledged moves"] = load.acknowledged


@pytest.mark.parametrize(
    "who", ["player", pytest.param("spectator", marks=pytest.mark.faults_long)]
)
async def test_a_person_whose_connection_stalls_is_shown_as_gone(alone, measured, who):
    match_id, one, two = await asyncio.to_thread(new_pair, alone)
    async with Proxy(alone.port) as line:
        sits = Player(lambda: alone.ws, match_id, one)
        lost = Player(lambda: line.ws, match_id, two if who == "player" else None)

        def is_shown():
            if who == "player":
                return sits.presence["players"]["2"] == "here"
            return sits.presence["spectators"] == 1

        async with joined(sits, lost):
            await sits.until(is_shown)
            line.swallow()
            begin = time.monotonic()
            await sits.until(lambda: not is_shown(), 25)
            measured["gone after"] = time.monotonic() - begin
            line.release()
