"""Web push from a real server: to a real push service, which decrypts what it gets."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import websockets

from tests.datastores import postgresql, redis
from tests.guests.push_service import push_service
from tests.live.client import connected, join, new_guest, new_match, new_pair, post
from tests.serving import serving, serving_together

# A second without a page, and again two seconds later.
SOON = {"NUMGAMES_PUSH_AFTER": "1,3", "NUMGAMES_LIMITS": "off"}


@pytest.fixture(scope="module")
def service():
    with push_service() as service:
        yield service


@pytest.fixture(scope="module")
def site(service, tmp_path_factory):
    data = tmp_path_factory.mktemp("push")
    with serving(data, NUMGAMES_PUSH_TEST_SERVICE=service.origin, **SOON) as server:
        yield server


@pytest.fixture(autouse=True)
def nothing_received(service):
    service.received.clear()


def subscribe(service, server, token, name):
    assert post(server, "/api/me/push/", service.subscription(name), token) == (200, {})


async def received(service, count, seconds=15):
    return await asyncio.to_thread(service.wait, count, seconds)


async def quiet(service, seconds=6):
    await asyncio.sleep(seconds)
    return service.received == []


async def test_whoever_has_closed_the_page_is_told_once_that_it_is_their_turn(site, service):
    match_id, one, two = new_pair(site)
    subscribe(service, site, two, "turn")
    async with connected(site, match_id, one) as player:
        async with connected(site, match_id, two):
            pass
        (begun,) = await received(service, 1)
        assert "has started" in begun.message["body"]
        await player.played(6)
        _, told = await received(service, 2)
        assert told.path == "/push/turn"
        assert told.message["url"] == f"/m/{match_id}/"
        assert told.message["body"].endswith("moved in Number Tower Duel. It's your turn.")
        assert told.headers["topic"] == begun.headers["topic"]
        # The page is opened and closed again, and still it's the same turn.
        async with connected(site, match_id, two):
            pass
        await asyncio.sleep(5)
        assert len(service.received) == 2


async def test_a_friend_who_joins_is_told_to_the_one_who_invited(site, service):
    inviter, friend = new_guest(site), new_guest(site)
    match_id = new_match(site, inviter)
    subscribe(service, site, inviter, "joined")
    assert join(site, match_id, friend)[0] == 200
    # Nobody has opened the match.
    (told,) = await received(service, 1)
    assert told.message["title"] == "Your friend is here"


async def test_a_rematch_is_told_to_the_one_who_left(site, service):
    match_id, one, two = new_pair(site)
    async with connected(site, match_id, one) as player:
        async with connected(site, match_id, two) as other:
            await player.played(6)
            await other.until(1)
            await other.send(type="resign", id="r")
            await player.until(2)
        subscribe(service, site, two, "rematch")
        await player.send(type="rematch", id="again")
        (told,) = await received(service, 1)
        assert told.message["title"] == "Rematch?"


async def test_nobody_is_told_while_any_of_their_pages_is_open(site, service):
    match_id, one, two = new_pair(site)
    headers = {"Authorization": f"Bearer {two}"}
    subscribe(service, site, two, "lobby")
    async with (
        websockets.connect(f"{site.ws}/ws/lobby/", additional_headers=headers),
        connected(site, match_id, one) as player,
    ):
        await player.played(6)
        assert await quiet(service)


async def test_a_page_that_is_reloaded_is_not_away(site, service):
    match_id, one, two = new_pair(site)
    subscribe(service, site, two, "reloaded")
    async with connected(site, match_id, two), connected(site, match_id, one) as player:
        await asyncio.sleep(0.1)
        await player.played(6)
    async with connected(site, match_id, two):
        assert await quiet(service)


async def test_a_message_that_says_it_is_gone_ends_the_subscription(site, service):
    match_id, one, two = new_pair(site)
    service.statuses["/push/gone"] = 410
    subscribe(service, site, two, "gone")
    async with connected(site, match_id, one) as player, connected(site, match_id, two):
        pass
    async with connected(site, match_id, one) as player:
        await received(service, 1)
        await player.played(6)
        await asyncio.sleep(4)
    assert len(service.received) == 1


async def test_a_slow_push_service_delays_no_move(site, service):
    match_id, one, two = new_pair(site)
    service.delay = 3.0
    try:
        subscribe(service, site, two, "slow")
        async with connected(site, match_id, one) as player:
            await asyncio.sleep(2)
            other_id, a, b = new_pair(site)
            async with connected(site, other_id, a) as first, connected(site, other_id, b):
                for client, move in ((player, 6), (first, 6)):
                    before = asyncio.get_running_loop().time()
                    await client.played(move)
                    assert asyncio.get_running_loop().time() - before < 1.0
    finally:
        service.delay = 0.0


async def test_nobody_is_told_by_either_process_while_connected_to_one(service, tmp_path):
    with ExitStack() as stack:
        # PostgreSQL may run as another user, who can't open pytest's folders.
        folder = Path(stack.enter_context(TemporaryDirectory()))
        servers = stack.enter_context(
            serving_together(
                tmp_path,
                DATABASE_URL=stack.enter_context(postgresql(folder)),
                REDIS_URL=stack.enter_context(redis()),
                NUMGAMES_PUSH_TEST_SERVICE=service.origin,
                **SOON,
            )
        )
        here, there = servers
        match_id, one, two = new_pair(here)
        subscribe(service, there, two, "process")
        # The processes must have listened to each other for some seconds.
        await asyncio.sleep(8)
        service.received.clear()
        lobby = websockets.connect(
            f"{there.ws}/ws/lobby/", additional_headers={"Authorization": f"Bearer {two}"}
        )
        async with connected(here, match_id, one) as player:
            async with lobby, connected(there, match_id):
                await player.played(6)
                assert await quiet(service, 7)
            # Both processes have the match loaded, and one of them tells.
            async with connected(there, match_id, two) as other:
                await other.played(3)
            await player.until(2)
            await player.played(9)
            await received(service, 1)
            await asyncio.sleep(4)
            assert [one.message["title"] for one in service.received] == ["Your turn"]
