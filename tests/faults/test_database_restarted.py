"""PostgreSQL restarts in mid-match: no move is acknowledged until it is back."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import websockets

from tests.faults.load import Load
from tests.faults.player import Player, joined
from tests.live.client import new_guest, new_match, new_pair, page
from tests.serving import Server

# Logged while the database is down, and when broken connections are found afterwards.
EXPECTED = (
    "psycopg.pool",
    "The database is away",
    "Service Unavailable",
    "not saved",
)


@pytest.fixture(scope="module", autouse=True)
def _new_processes_afterwards(long_lived_pair):
    """Restart the servers, so that these tests don't affect others."""
    yield
    for server in long_lived_pair:
        server.end()
        server.log.write_text("")
    with ThreadPoolExecutor() as pool:
        list(pool.map(Server.start, long_lived_pair))


@pytest.fixture
def pair(pair):
    for server in pair:
        server.expected += EXPECTED
    return pair


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        (1, 0),
        pytest.param(10, 0, marks=pytest.mark.faults_long),
        pytest.param(1, 60, marks=pytest.mark.faults_long),
    ],
)
async def test_players_get_an_error_and_can_retry_after_the_restart(
    pair, postgresql, database, measured, times, seconds
):
    one_side, other_side = pair
    near, far = (lambda: one_side.ws), (lambda: other_side.ws)

    async def restart(load):
        """Restart PostgreSQL during another match; return the seconds until all boards agree."""
        match_id, one, two = await asyncio.to_thread(new_pair, one_side)
        async with joined(Player(near, match_id, one), Player(far, match_id, two)) as (
            first,
            second,
        ):
            await asyncio.to_thread(postgresql.stop)
            try:
                refusal = await first.played(6)
                for server in pair:
                    assert (await asyncio.to_thread(page, server, f"/m/{match_id}/"))[0] == 503
                await asyncio.sleep(seconds)
            finally:
                await asyncio.to_thread(postgresql.start)
            back = time.monotonic()
            assert refusal is not None
            assert refusal["code"] == "not_saved"
            # The first retry works, although all pooled connections were broken.
            assert await first.played(6) is None
            for server in pair * 10:
                assert (await asyncio.to_thread(page, server, f"/m/{match_id}/"))[0] == 200
                await asyncio.to_thread(new_match, server, one)
            await second.until(lambda: second.version == 1)
            assert await second.played(3) is None
        await load.converged(10 - (time.monotonic() - back))
        return time.monotonic() - back

    slowest = 0.0
    async with Load(database) as load:
        await load.open(one_side, 6, seats=(near, far), spectators=(near, far))
        for _ in range(times):
            slowest = max(slowest, await restart(load))
            refused = sum(len(player.refusals) for player in load.everybody)
            load.playing.set()
            await asyncio.sleep(1)
            await load.converged(10)
            assert sum(len(player.refusals) for player in load.everybody) == refused
            load.playing.set()
        codes = {one["code"] for player in load.everybody for one in player.refusals}
        assert codes <= {"not_saved", "not_finished"}
        closings = {code for player in load.everybody for code in player.closings}
        assert 1011 not in closings
        measured["converged after"] = slowest


async def test_clients_that_waited_for_the_database_continue_when_it_is_back(pair, postgresql):
    server = pair[0]

    token = await asyncio.to_thread(new_guest, server)
    wanted = await asyncio.to_thread(new_match, server, token)
    far_token = await asyncio.to_thread(new_guest, server)
    far = await asyncio.to_thread(new_match, server, far_token, listed=True)
    async with (
        # The lobby reads this one from the database, because only the other process has it open.
        joined(Player(lambda: pair[1].ws, far, far_token)),
        websockets.connect(f"{server.ws}/ws/lobby/") as lobby,
    ):
        await asyncio.to_thread(postgresql.stop)
        try:
            comes = Player(lambda: server.ws, wanted, token)
            await comes.until(lambda: comes.closings)
            assert not comes.is_connected
        finally:
            await asyncio.to_thread(postgresql.start)
        async with joined(comes):
            assert 1011 not in comes.closings
        other = await asyncio.to_thread(new_match, server, token, listed=True)
        async with joined(Player(lambda: server.ws, other, token)), asyncio.timeout(10):
            while other not in await lobby.recv():
                pass
