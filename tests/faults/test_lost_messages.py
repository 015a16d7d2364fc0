"""Messages between processes get lost or arrive twice: everybody still sees the same."""

import asyncio

import pytest

from tests.faults.load import Load
from tests.faults.losses import Losses
from tests.faults.player import Player, joined
from tests.faults.proxy import Proxy, in_background
from tests.live.client import new_pair
from tests.serving import serving_together


@pytest.fixture(scope="module")
def losses():
    return Losses()


@pytest.fixture(scope="module")
def lossy_pair(losses, postgresql, redis, tmp_path_factory):
    """Two processes with an unreliable connection to Redis."""
    with (
        in_background(Proxy(redis.port, losses.new_filter)) as line,
        serving_together(
            tmp_path_factory.mktemp("lossy"),
            DATABASE_URL=postgresql.url,
            REDIS_URL=f"redis://127.0.0.1:{line.port}/0",
            NUMGAMES_LIMITS="off",
        ) as servers,
    ):
        yield servers


@pytest.mark.parametrize("seconds", [4, pytest.param(60, marks=pytest.mark.faults_long)])
async def test_all_boards_converge_when_messages_are_lost_and_duplicated(
    lossy_pair, losses, database, measured, seconds
):
    one_side, other_side = lossy_pair

    losses.lost = losses.doubled = 0.3
    losses.counts.clear()
    near, far = (lambda: one_side.ws), (lambda: other_side.ws)
    async with Load(database) as load:
        await load.open(one_side, 6, seats=(near, far), spectators=(near, far))
        await asyncio.sleep(seconds)
        took = await load.converged(10)
        measured["acknowledged moves"] = load.acknowledged
        measured["converged after"] = took
    measured.update(losses.counts)
    assert set(losses.counts) == {"passed", "lost", "doubled"}


async def test_a_player_with_a_newer_version_than_the_process_can_move(lossy_pair, losses):
    """The player reconnects to a process that never received the first move."""

    one_side, other_side = lossy_pair

    losses.lost, losses.doubled = 1, 0
    match_id, one, two = await asyncio.to_thread(new_pair, one_side)
    where = [one_side]
    async with joined(
        Player(lambda: one_side.ws, match_id, one),
        Player(lambda: where[0].ws, match_id, two),
        Player(lambda: other_side.ws, match_id),
    ) as (first, second, far):
        await first.played(6)
        await second.until(lambda: second.may_move)
        where[0] = other_side
        second.drop()
        await second.until(lambda: not second.is_connected)
        await second.until(lambda: second.is_connected)
        assert second.version == 1
        assert await second.played(3) is None
        await far.until(lambda: far.version == 2)
