"""Processes behind nginx are restarted or killed, one at a time, while people play and read."""

import asyncio
import os
import signal
import time
from collections import Counter
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.clusters import running_cluster
from tests.faults.beside import play_beside
from tests.faults.player import Player, joined
from tests.live.client import new_pair

TABLES = 13
# Seconds between wanting to move and both players having the update.
LONGEST_PAUSE = 2.0


@pytest.fixture(
    scope="module", params=["daphne", pytest.param("uvicorn", marks=pytest.mark.faults_long)]
)
def cluster(tmp_path_factory, request):
    with running_cluster(
        tmp_path_factory.mktemp("cluster"), NUMGAMES_LIMITS="off", NUMGAMES_SERVER=request.param
    ) as cluster:
        cluster.require_nginx()
        yield cluster


async def people_during(trouble, cluster, times, *, post=False):
    """Let people play and read while something happens; return how long they waited for what."""
    door = cluster.door
    matches = [
        [
            await asyncio.to_thread(new_pair, door, "chain-factor", options={"pool": 100})
            for _ in range(2 + 2 * times)
        ]
        for _ in range(TABLES)
    ]
    match_id = matches[0][0][0]
    asked = ["/", f"/m/{match_id}/", "/api/matches/?live=1", f"/api/matches/{match_id}/"]
    requests = [Request(door.http + path) for path in asked]
    if post:
        requests.append(Request(f"{door.http}/api/guests/", method="POST"))
    happening = asyncio.create_task(trouble(cluster, times))
    async with asyncio.timeout(60 * times), asyncio.TaskGroup() as group:
        tables = [group.create_task(play(door, own, happening)) for own in matches]
        readers = [group.create_task(read(one, happening)) for one in requests]
    await happening
    return [wait for table in tables for wait in table.result()], [
        answer for reader in readers for answer in reader.result()
    ]


async def play(door, matches, until):
    """Play one match after another; return how long these two waited, to connect or to move."""
    waits = []
    for match_id, *tokens in matches:
        begin = time.monotonic()
        async with joined(*(Player(lambda: door.ws, match_id, token) for token in tokens)) as pair:
            waits.append(time.monotonic() - begin)
            waits += await play_beside(pair, until, think=0.15)
        if until.done():
            return waits
    raise AssertionError("Too few matches for the time this took.")


async def read(request, until):
    """Ask again and again; return each answer's status, or what went wrong, with its seconds."""
    answers = []
    while not until.done():
        begin = time.monotonic()
        status = await asyncio.to_thread(status_of, request)
        answers.append((status, time.monotonic() - begin))
        await asyncio.sleep(0.02)
    return answers


def status_of(request):
    try:
        with urlopen(request, timeout=30) as response:
            response.read()
            return response.status
    except HTTPError as error:
        with error:
            return error.code
    except (OSError, HTTPException) as error:
        return repr(error)


async def restart_all(cluster, times):
    for _ in range(times):
        await asyncio.sleep(1)
        cluster.process.send_signal(signal.SIGHUP)
        await asyncio.to_thread(cluster.wait_for_line, "All servers restarted")
    await asyncio.sleep(1)


async def kill_in_turn(cluster, times):
    for _ in range(times):
        await asyncio.sleep(1)
        os.kill(cluster.pids()[0], signal.SIGKILL)
        await asyncio.to_thread(cluster.wait_for_line, "Restarting it")
        for server in cluster.addresses[1:]:
            ready = Request(f"{server.http}/health/ready/")
            while await asyncio.to_thread(status_of, ready) != 200:
                await asyncio.sleep(0.1)
    await asyncio.sleep(1)


def check(measured, waits, answers):
    statuses = Counter(status for status, _ in answers)
    measured["moves"] = len(waits)
    measured["longest waits for a move"] = sorted(waits)[-3:]
    measured["answers"] = dict(statuses)
    measured["longest waits for an answer"] = sorted(seconds for _, seconds in answers)[-3:]
    assert set(statuses) <= {200, 201}
    assert max(waits) < LONGEST_PAUSE


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.faults_long)])
async def test_nobody_notices_that_the_processes_are_restarted(cluster, measured, times):
    check(measured, *await people_during(restart_all, cluster, times, post=True))


@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.faults_long)])
async def test_nobody_notices_that_a_process_is_killed(cluster, measured, times):
    check(measured, *await people_during(kill_in_turn, cluster, times))
