"""Redis dies or hangs: the processes fall back to the database, and recover afterwards."""

import asyncio
import time

import pytest

from tests.faults.load import Load
from tests.faults.player import Player, joined
from tests.live.client import get, new_guest, new_match, new_pair, page

FAULTS = [
    ("killed", 2),
    ("paused", 4),
    pytest.param("killed", 5, marks=pytest.mark.faults_long),
    pytest.param("paused", 20, marks=pytest.mark.faults_long),
]


@pytest.mark.parametrize(("how", "seconds"), FAULTS)
async def test_play_continues_without_redis(pair, redis, database, measured, how, seconds):
    one_side, other_side = pair
    near, far = (lambda: one_side.ws), (lambda: other_side.ws)

    for server in pair:
        server.expected.append("Redis is away")
    match_id, one, two = await asyncio.to_thread(
        new_pair, one_side, "chain-factor", options={"pool": 100}
    )
    async with (
        Load(database) as load,
        joined(Player(near, match_id, one), Player(far, match_id, two)) as (first, second),
    ):
        await first.played(7)
        await second.until(lambda: second.version == 1)
        await load.open(one_side, 3, seats=(near, far), spectators=(near, far))
        await load.open(one_side, 3, seats=(near, near), spectators=(far,))
        redis.kill() if how == "killed" else redis.pause()
        before, ends = load.acknowledged, time.monotonic() + seconds
        try:
            assert await second.played(3) is None
            while time.monotonic() < ends:
                await asyncio.to_thread(pages_load, pair)
                await asyncio.sleep(0.5)
            assert load.acknowledged > before
            # The other player is connected, but this process can't know that without Redis.
            assert await second.asked("claim") is not None
        finally:
            redis.start() if how == "killed" else redis.resume()
        back = time.monotonic()
        await asyncio.to_thread(pages_load, pair)
        await first.until(lambda: first.version == 2)
        await load.converged(10 - (time.monotonic() - back))
        measured["converged after"] = time.monotonic() - back

        # Moves arrive as updates through Redis again, not by polling the database.
        async with asyncio.timeout(10 - (time.monotonic() - back)):
            while not (heard(first, 2) and heard(second, 1)):
                mover, sees = (first, second) if first.may_move else (second, first)
                assert await mover.played(mover.board["legal"][-1]) is None
                await sees.until(lambda sees=sees: sees.may_move)
        measured["updates through Redis after"] = time.monotonic() - back


def heard(player, seat):
    """Return whether this seat's newest move arrived as an update."""
    moves = [version for version, shown in player.shown.items() if shown[0] == seat]
    return moves[-1] in player.updates


def pages_load(servers):
    """Check that each process serves pages and the API."""
    for server in servers:
        match_id = new_match(server, new_guest(server))
        assert get(server, f"/api/matches/{match_id}/")[0] == 200
        for path in ("/", f"/m/{match_id}/"):
            assert page(server, path)[0] == 200
