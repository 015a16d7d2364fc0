"""Matches on PostgreSQL, and on two processes that communicate through Redis."""

from random import Random

import pytest

from games.rules import GAMES
from tests.datastores import postgresql, redis
from tests.live.client import connected, fresh, new_pair, post
from tests.live.test_devices import arrive, closed, link_of
from tests.live.test_matches import random_match, without
from tests.serving import serving, serving_together


@pytest.fixture(scope="module")
def database_url(tmp_path_factory):
    with postgresql(tmp_path_factory.mktemp("pg")) as url:
        yield url


async def test_every_game_can_be_played_on_postgresql(database_url, tmp_path):
    with serving(tmp_path, NUMGAMES_LIMITS="off", DATABASE_URL=database_url) as server:
        for slug in GAMES:
            await random_match(server, slug, {}, Random(1))


async def test_two_processes_can_serve_one_match_through_redis(database_url, tmp_path):
    """The players are on different processes, with a spectator on each."""

    environment = {"NUMGAMES_LIMITS": "off", "DATABASE_URL": database_url}
    with (
        redis() as redis_url,
        serving_together(tmp_path, REDIS_URL=redis_url, **environment) as (one_side, other_side),
    ):
        match_id, one, two = new_pair(one_side, "chain-factor")
        async with (
            connected(one_side, match_id, one) as first,
            connected(other_side, match_id, two) as second,
            connected(one_side, match_id) as near,
            connected(other_side, match_id) as far,
        ):
            clients = (first, second, near, far)
            rng = Random(5)
            while first.board["outcome"] is None:
                mover = clients[first.board["turn"] - 1]
                version = mover.version
                assert (await mover.played(rng.choice(mover.board["legal"])))["type"] == "update"
                for client in clients:
                    await client.until(version + 1)
            boards = [without(client.board, "you") for client in clients]
            assert boards == [without(fresh(other_side, match_id), "you")] * 4
            # Updates were enough: nobody needed a second snapshot.
            for client in clients:
                assert [message["type"] for message in client.inbox].count("snapshot") == 1
            await first.send(type="rematch", id="a")
            await second.send(type="rematch", id="b")
            for client in clients:
                while client.board["rematch"]["next"] is None:
                    await client.receive("rematch", "snapshot")
            assert len({client.board["rematch"]["next"] for client in clients}) == 1
            while (await near.receive("presence"))["spectators"] != 2:
                pass


async def test_a_device_is_signed_out_in_all_processes(database_url, tmp_path):
    environment = {"NUMGAMES_LIMITS": "off", "DATABASE_URL": database_url}
    with (
        redis() as redis_url,
        serving_together(tmp_path, REDIS_URL=redis_url, **environment) as (here, there),
    ):
        match_id, one, two = new_pair(here)
        phone = arrive(here, link_of(here, one))[1]["token"]
        async with (
            connected(there, match_id, phone) as mobile,
            connected(there, match_id, two) as friend,
            connected(here, match_id, one) as laptop,
        ):
            post(here, "/api/me/devices/sign-out/", {"device": 1}, one)
            assert await closed(mobile) == ("bad_token", 4401)
            async with connected(there, match_id, phone) as stranger:
                assert stranger.board["you"] == []
            await laptop.played(6)
            await friend.until(1)
            post(here, "/api/me/forget/", {"confirm": True}, one)
            assert await closed(laptop) == ("bad_token", 4401)
            while friend.board["outcome"] is None:
                await friend.receive("snapshot", "update")
            assert friend.board["outcome"]["winner"] == 2
