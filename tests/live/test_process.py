"""A process starts only when told to, and several can run side by side."""

import asyncio
import subprocess
import sys

import pytest
from django.test import AsyncRequestFactory, RequestFactory

from games.live import protocol
from games.live.process import SCOPE_KEY, Process, process_of
from games.matches import database, selectors
from tests.live.in_process import FakeClient, new_match, settled

IMPORTED = """
import importlib, pkgutil, threading
import django
django.setup()
import games
from prometheus_client import REGISTRY
for module in pkgutil.walk_packages(games.__path__, "games."):
    importlib.import_module(module.name)
assert threading.active_count() == 1, threading.enumerate()
assert REGISTRY.get_sample_value("numgames_sockets", {"page": "match"}) is None
import gc
from games.live import computer, hints, housekeeping, hub, lobby, process, relay, tasks, writer
from games.thinking import asking, pool
parts = (
    computer.Computer, hints.Hints, housekeeping.Housekeeping, hub.Hub, lobby.Lobby,
    process.Process, relay.Relay, tasks.Tasks, writer.Writer, asking.Thinking, pool.Pool,
)
assert not [one for one in gc.get_objects() if type(one) in parts]
"""


def test_importing_builds_nothing_and_starts_nothing():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        env={"DJANGO_SETTINGS_MODULE": "numgames_site.settings", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


async def test_a_second_start_does_nothing_and_stopping_ends_all_tasks():
    process = Process()
    process.start()
    running = set(process.tasks._running)
    process.start()
    assert process.tasks._running == running
    assert len(running) > 3
    await process.stop()
    assert all(task.cancelled() for task in running)
    assert len(asyncio.all_tasks()) == 1
    process.start()
    assert len(process.tasks._running) == len(running)
    await process.stop()


async def test_a_writer_that_never_finishes_does_not_keep_a_process_from_stopping(monkeypatch):
    monkeypatch.setattr("games.live.process.LONGEST_GOODBYE", 0.01)
    process = Process()
    process.start()
    busy = asyncio.create_task(asyncio.Event().wait())
    process.writer._saving.add(busy)
    async with asyncio.timeout(10):
        await process.stop()
    # It was not cancelled: what it writes may still be saved.
    assert not busy.cancelling()
    busy.cancel()


async def test_a_process_can_start_again_on_another_loop():
    process = Process()

    async def started():
        process.start()
        return len(process.tasks._running)

    assert await started() == await started()


async def test_a_job_is_repeated_even_if_it_fails(caplog):
    done = []

    async def job():
        done.append(1)
        raise ZeroDivisionError

    process = Process()
    process.repeat(0.01, job)
    process.start()
    async with asyncio.timeout(10):
        while len(done) < 3:
            await asyncio.sleep(0.01)
    await process.stop()
    assert "ZeroDivisionError" in caplog.text


def test_the_process_can_be_found_from_a_request():
    process = Process()
    request = AsyncRequestFactory().get("/")
    assert process_of(request) is None
    request.scope[SCOPE_KEY] = process
    assert process_of(request) is process
    assert process_of(RequestFactory().get("/")) is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
async def test_two_processes_can_run_side_by_side_on_one_database():
    matches = [await database.write(new_match) for _ in range(2)]

    processes = Process(), Process()
    # Each serves one match, and the second also has a client in the first one's match.
    players, lives = [], []
    for process, (match, one, _two) in zip(processes, matches, strict=True):
        process.start()
        players.append(FakeClient(one))
        lives.append(await process.hub.enter(match.pk, players[-1].socket))
    watching = FakeClient(matches[0][2])
    watched = await processes[1].hub.enter(matches[0][0].pk, watching.socket)
    for process, player, live in zip(processes, players, lives, strict=True):
        move = protocol.Move(move=6, version=0, id="m")
        process.writer.submit(live, player.socket, move)
    for process, player in zip(processes, players, strict=True):
        await settled(process.writer, player)
        assert [update["version"] for update in player.of_type("update")] == [1]
    assert list(processes[0].hub.matches) == [matches[0][0].pk]
    assert watched.loaded.version == 0
    await processes[1].convergence.compare_all()
    assert watched.loaded.version == 1
    assert watching.of_type("snapshot")[-1]["version"] == 1
    for process in processes:
        await process.stop()
    for match, *_ in matches:
        stored = await database.read(selectors.stored_match, match.pk)
        assert len(stored.actions) == 1


@pytest.mark.parametrize(("matches", "seconds"), [(10, 2.5), (5000, 5.0)])
async def test_comparing_many_matches_with_the_database_takes_more_time(
    monkeypatch, matches, seconds
):
    rounds = []

    async def spread(chosen, within):
        rounds.append((len(chosen), within))
        return
        yield

    monkeypatch.setattr("games.live.convergence.spread", spread)
    process = Process()
    for number in range(matches):
        live = process.hub.live_match(str(number))
        live.loaded, live.sockets = object(), {object()}
    await process.convergence.compare_all()
    assert rounds == [(matches, seconds)]
