"""`make cluster`: several processes on one machine, restarted while people play."""

import asyncio
import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from types import SimpleNamespace
from urllib.error import HTTPError

import pytest
import websockets

from tests.live.client import connected, fresh, get, new_pair
from tests.serving import ROOT


def three_free_ports():
    """Return the first of three consecutive free ports."""
    while True:
        first = random.randrange(20_000, 32_000)
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + 3):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    data = tmp_path_factory.mktemp("cluster")
    command = [sys.executable, "-m", "deploy.cluster", "--data", str(data)]
    port = three_free_ports()
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    with subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            said = ""
            while "Ctrl-C" not in said:
                line = process.stdout.readline()
                assert line, said
                said += line
            addresses = [
                SimpleNamespace(http=http, ws=http.replace("http", "ws"))
                for http in re.findall(r"(http://localhost:\d+)/", said)
            ]
            yield SimpleNamespace(process=process, addresses=addresses, data=data)
        finally:
            process.terminate()
            process.communicate(timeout=60)
    assert process.returncode == 0
    for log in data.glob("server-*.log"):
        assert log.read_text() == ""


async def wait_for_line(process, text):
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(60):
        while text not in (line := await loop.run_in_executor(None, process.stdout.readline)):
            assert line, "The cluster has ended."


async def answered(server, path):
    """Return the answer of a server that may still be starting."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(OSError):
                return await asyncio.to_thread(get, server, path)
            await asyncio.sleep(0.1)


async def test_a_match_goes_on_while_the_servers_are_restarted_one_by_one(cluster):
    door = cluster.addresses[0]

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
        await wait_for_line(cluster.process, "All servers restarted")
        for _ in range(20):
            steps.put_nowait(None)
    boards = [player.result() for player in players]
    assert boards[0]["history"] == boards[1]["history"]
    assert boards[0]["history"] == fresh(door, match_id)["history"]


async def test_a_server_that_dies_is_restarted(cluster):
    *_, last = cluster.addresses
    children = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(cluster.process.pid)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    pids = [int(line.split()[0]) for line in children.splitlines() if "asgi" in line]
    assert len(pids) == 2
    os.kill(pids[1], signal.SIGKILL)

    await wait_for_line(cluster.process, "Restarting it")
    assert (await answered(last, "/health/ready/"))[0] == 200


def test_metrics_are_for_operators_only(cluster):
    if len(cluster.addresses) == 2:
        absent = "nginx is not installed, so nothing hides the metrics."
        pytest.fail(absent) if os.environ.get("CI") == "true" else pytest.skip(absent)
    with pytest.raises(HTTPError, match="404"):
        urllib.request.urlopen(f"{cluster.addresses[0].http}/metrics/", timeout=10)
    for server in cluster.addresses[1:]:
        with urllib.request.urlopen(f"{server.http}/metrics/", timeout=10) as answer:
            assert "numgames_moves_total" in answer.read().decode()
