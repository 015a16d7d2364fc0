"""Commits in the event loop's thread, and in a thread when that would take too long."""

import asyncio
import sqlite3
import time

import pytest
from django.db import DatabaseError, connection

from games.matches import commits as module
from games.matches import database, selectors
from games.matches.commits import LONGEST_PAUSE, MOST_ROWS, PAUSES, SLOW, Commits
from games.models import Action
from tests.live.in_process import new_match
from tests.matches.test_action_log import writing

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


@pytest.fixture
def commits():
    made = Commits()
    yield made
    made.close()


async def make(number):
    return [(await database.write(new_match))[0] for _ in range(number)]


async def read(function, *args):
    return await database.read(function, *args)


async def actions():
    return await read(lambda: list(Action.objects.values_list("match__serial", "version")))


async def save(commits, batch):
    """Save a batch as the writer does: at once if possible."""
    return [True] * len(batch) if commits.save_now(batch) else await commits.save(batch)


async def test_a_small_batch_is_saved_without_a_thread(commits):
    first, second = await make(2)
    assert commits.save_now([writing(first.serial)])
    batch = [writing(first.serial, 2, 2, 3, "b", winner=2), writing(second.serial)]
    assert commits.save_now(batch)
    stored = await read(selectors.stored_match, first.pk)
    assert [(one.version, one.move, one.client_id) for one in stored.actions] == [
        (1, 6, "a"),
        (2, 3, "b"),
    ]
    assert (stored.row.status, stored.row.winner) == ("finished", 2)
    assert abs(stored.row.ended.timestamp() - time.time()) < 60
    assert (await read(selectors.stored_match, second.pk)).row.status == "live"


async def test_a_conflict_saves_nothing_here_and_is_sorted_out_in_the_thread(commits):
    first, second = await make(2)
    assert await save(commits, [writing(first.serial)]) == [True]
    batch = [writing(first.serial, client_id="b"), writing(second.serial)]
    assert commits.save_now(batch) is False
    assert await actions() == [(first.serial, 1)]
    assert await save(commits, batch) == [False, True]


async def test_a_match_that_does_not_exist_fails_alone(commits):
    (match,) = await make(1)
    good, bad = await save(commits, [writing(match.serial), writing(7)])
    assert good is True
    assert isinstance(bad, DatabaseError)
    assert await actions() == [(match.serial, 1)]


async def test_the_loop_never_waits_for_a_lock(commits):
    (match,) = await make(1)
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begin = time.monotonic()
    assert commits.save_now([writing(match.serial)]) is False
    assert time.monotonic() - begin < 0.5
    saving = asyncio.ensure_future(save(commits, [writing(match.serial)]))
    await asyncio.sleep(0)
    assert not saving.done()
    other.execute("COMMIT")
    other.close()
    assert await saving == [True]


async def test_a_large_batch_goes_to_the_thread(commits):
    (match,) = await make(1)
    batch = [writing(match.serial, n, client_id=str(n)) for n in range(1, MOST_ROWS + 2)]
    assert commits.save_now(batch) is False
    assert await save(commits, batch[:1]) == [True]


async def test_after_a_slow_commit_the_loop_leaves_it_to_the_thread_for_a_while(
    commits, monkeypatch
):
    now, took, written = [100.0], [0.0], []

    def write(writings):
        now[0] += took[0]
        written.append(now[0])
        return True

    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(commits.quick, "_write", write)
    assert commits.save_now([]) is True
    took[0] = 2 * SLOW
    pause = PAUSES * 2 * SLOW
    for _ in range(15):
        assert commits.save_now([]) is True
        count = len(written)
        now[0] += pause * 0.9
        assert commits.save_now([]) is False
        assert len(written) == count
        now[0] += pause * 0.2
        pause = min(LONGEST_PAUSE, 2 * pause)
    # One quick commit, and the next pause is short again.
    took[0] = 0.0
    assert commits.save_now([]) is True
    took[0] = 2 * SLOW
    assert commits.save_now([]) is True
    now[0] += PAUSES * 2 * SLOW * 1.1
    assert commits.save_now([]) is True


async def test_a_connection_that_breaks_is_replaced(commits):
    first, second = await make(2)
    assert await save(commits, [writing(first.serial)]) == [True]
    commits.quick._connection.close()
    # A closed connection raises an error of SQLite's. The thread saves the batch.
    assert await save(commits, [writing(second.serial)]) == [True]
    assert await save(commits, [writing(second.serial, 2, 2, 3, "b")]) == [True]
    assert len(await actions()) == 3


def test_only_sqlite_is_written_in_the_loop(monkeypatch):
    monkeypatch.setattr(connection, "vendor", "postgresql")
    assert not Commits().save_now([])
