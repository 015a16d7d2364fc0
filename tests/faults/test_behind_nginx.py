"""Slow clients and large crowds at the nginx that `deploy/` configures."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest
import websockets

from tests.clusters import running_cluster
from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import new_pair

pytestmark = pytest.mark.faults_long

SLOW_CLIENTS = 500
# nginx waits ten seconds for a header.
CLOSED_WITHIN = 15
# A school: 600 pupils, two sockets each. nginx allows an address 2,000.
SCHOOL, MOST = 1200, 2000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with running_cluster(tmp_path_factory.mktemp("cluster"), NUMGAMES_LIMITS="off") as cluster:
        cluster.require_nginx()
        yield cluster


async def send_slowly(port):
    """Send a header that never ends, a byte a second; return after how long nginx hung up."""
    begin = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        while True:
            try:
                await asyncio.wait_for(reader.read(1), 1)
                return time.monotonic() - begin
            except TimeoutError:
                writer.write(b"x")
    except ConnectionError:
        return time.monotonic() - begin
    finally:
        writer.close()


async def test_clients_that_send_a_byte_a_second_are_cut_off_and_nobody_notices(cluster, measured):
    port = int(cluster.door.http.rpartition(":")[2])
    match_id, *tokens = await asyncio.to_thread(
        new_pair, cluster.door, "chain-factor", options={"pool": 100}
    )
    async with joined(
        *(Player(lambda: cluster.door.ws, match_id, token) for token in tokens)
    ) as players:
        slow = asyncio.gather(*(send_slowly(port) for _ in range(SLOW_CLIENTS)))
        moves = await play_beside(players, slow, think=0.2)
        closed = max(await slow)
    measured["slow clients, cut off after"] = [SLOW_CLIENTS, closed]
    measured["moves, p99, slowest"] = [len(moves), p99(moves), max(moves)]
    assert closed < CLOSED_WITHIN
    assert p99(moves) < 0.1


async def sockets_until_refused(cluster, most):
    """Open sockets until one is refused; return how many were opened, and its status."""
    address = f"{cluster.door.ws}/ws/lobby/"
    async with AsyncExitStack() as stack:
        for opened in range(most + 1):
            connecting = websockets.connect(address, ping_interval=None, close_timeout=0.1)
            try:
                await stack.enter_async_context(connecting)
            except websockets.InvalidStatus as refused:
                return opened, refused.response.status_code
    return most + 1, None


async def test_a_school_fits_behind_one_address_but_not_any_number(cluster, measured):
    opened, status = await sockets_until_refused(cluster, MOST)
    measured["sockets from one address"] = opened
    assert SCHOOL < opened <= MOST
    assert status == 429
