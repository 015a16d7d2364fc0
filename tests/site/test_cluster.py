"""`make cluster`: several processes on one machine, restarted while people play."""

import asyncio
import contextlib
import os
import signal
import urllib.request
from urllib.error import HTTPError

import pytest
import websockets

from tests.clusters import running_cluster
from tests.live.client import connected, fresh, get, new_pair, post


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


async def wait_for_line(cluster, text):
    async with asyncio.timeout(60):
        await asyncio.to_thread(cluster.wait_for_line, text)


async def answered(server, path):
    """Return the answer of a server that may still be starting."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(OSError):
                return await asyncio.to_thread(get, server, path)
            await asyncio.sleep(0.1)


async def test_a_match_goes_on_while_the_servers_are_restarted_one_by_one(cluster):
    door = cluster.door

    async def until_finished(match_id, token, steps):
        """Play whenever it is this player's turn, and reconnect when the connection ends."""
        while True:
            try:
                async with connected(door, match_id, token) as client:
                    (seat,) = client.board["you"]
                    while client.board["outcome"] is None:
                        if client.board["turn"] == seat:
                            await steps.get()
                            answer = await client.played(client.board["legal"][0])
                            assert answer["type"] == "update"
                        else:
                            await client.receive("update", "snapshot", seconds=60)
                    return client.board
            except (websockets.ConnectionClosed, websockets.InvalidStatus, OSError):
                await asyncio.sleep(0.2)

    match_id, one, two = new_pair(door, "chain-factor")
    steps = asyncio.Queue()
    for _ in range(2):
        steps.put_nowait(None)
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        players = [
            group.create_task(until_finished(match_id, token, steps)) for token in (one, two)
        ]
        cluster.process.send_signal(signal.SIGHUP)
        await wait_for_line(cluster, "All servers restarted")
        for _ in range(20):
            steps.put_nowait(None)
    boards = [player.result() for player in players]
    assert boards[0]["history"] == boards[1]["history"]
    assert boards[0]["history"] == fresh(door, match_id)["history"]


async def test_a_server_that_dies_is_restarted(cluster):
    *_, last = cluster.addresses
    pids = cluster.pids()
    assert len(pids) == 2
    os.kill(pids[1], signal.SIGKILL)

    await wait_for_line(cluster, "Restarting it")
    assert (await answered(last, "/health/ready/"))[0] == 200


def test_metrics_are_for_operators_only(cluster):
    cluster.require_nginx()
    with pytest.raises(HTTPError, match="404"):
        urllib.request.urlopen(f"{cluster.door.http}/metrics/", timeout=10)
    for server in cluster.addresses[1:]:
        with urllib.request.urlopen(f"{server.http}/metrics/", timeout=10) as answer:
            assert "numgames_moves_total" in answer.read().decode()


def test_long_bodies_get_no_further_than_to_nginx(cluster):
    cluster.require_nginx()
    with pytest.raises(HTTPError, match="413") as refused:
        urllib.request.urlopen(f"{cluster.door.http}/api/guests/", b"x" * 70_000, timeout=10)
    refused.value.close()


def test_a_client_cannot_fake_its_address(cluster):
    """The last test here: it uses up what one address may do at both processes."""
    cluster.require_nginx()
    for number in range(400):
        faked = {"X-Forwarded-For": f"192.0.2.{number % 250}", "Forwarded": f"for={number}"}
        if post(cluster.door, "/api/guests/", headers=faked)[0] == 429:
            return
    raise AssertionError("Every request counted as somebody else's.")
