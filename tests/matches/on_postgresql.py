"""Commits to PostgreSQL in the event loop. `test_on_postgresql.py` runs this on a real server."""

import asyncio

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, connection

from games.matches import database, selectors
from games.matches import postgresql_commits as module
from games.matches.action_log import Writing
from games.matches.commits import Commits
from games.matches.postgresql_commits import Line
from games.matches.selectors import StoredAction
from games.models import Action, Match
from tests.live.in_process import new_match
from tests.matches.test_action_log import writing

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]

PASS = StoredAction(2, 2, "pass", None, None, 1.0)


@pytest.fixture
async def commits():
    made = Commits()
    yield made
    made.close()


@pytest.fixture
def no_threads(monkeypatch):
    """Fail if a batch takes the slow way."""

    async def fail(function, *args):
        raise AssertionError(function)

    with monkeypatch.context() as patched:
        patched.setattr(module.database, "write", fail)
        yield


@pytest.fixture
def other():
    """Another connection, to hold locks and end the server's connections."""
    params = connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}
    with psycopg.connect(**params, autocommit=True) as made:
        yield made


async def make(number):
    return await database.read(lambda: [new_match()[0] for _ in range(number)])


async def actions():
    rows = Action.objects.order_by("match__serial", "version")
    return await database.read(lambda: list(rows.values_list("match__serial", "version")))


async def row(match):
    return (await database.read(selectors.stored_match, match.pk)).row


async def connect(commits):
    """Connect before a test locks the table."""
    assert await commits.save([]) == []


def line_of(commits):
    (line,) = commits.postgresql._lines
    return line


def backend(line):
    return line._pgconn.backend_pid


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


def is_waiting_for_a_lock(other, pid):
    asked = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s"
    return other.execute(asked, [pid]).fetchone()[0]


@pytest.mark.usefixtures("no_threads")
async def test_a_batch_is_one_statement_and_needs_no_thread(commits):
    first, second, third = await make(3)
    assert await commits.save([writing(third.serial)]) == [True]
    batch = [
        Writing(second.serial, [*writing(second.serial).actions, PASS], None),
        writing(third.serial, 2, 2, 3, "b", winner=2),
        writing(first.serial, winner=1),
    ]
    assert await commits.save(batch) == [True] * 3
    assert await actions() == [
        (first.serial, 1),
        *((match.serial, version) for match in (second, third) for version in (1, 2)),
    ]
    assert [(await row(match)).winner for match in (first, second, third)] == [1, None, 2]
    ended = await row(first)
    assert ended.status == "finished"
    assert ended.ended >= ended.started
    assert (await row(second)).status == "live"


@pytest.mark.usefixtures("no_threads")
async def test_a_conflict_is_a_missing_row_and_the_others_are_saved(commits):
    first, second, third = await make(3)
    assert await commits.save([writing(first.serial, client_id="theirs")]) == [True]
    batch = [writing(second.serial), writing(first.serial), writing(third.serial)]
    assert await commits.save(batch) == [True, False, True]
    assert len(await actions()) == 3


@pytest.mark.usefixtures("no_threads")
async def test_nothing_of_a_match_is_written_if_its_first_action_conflicts(commits):
    first, second = await make(2)
    assert await commits.save([writing(first.serial, client_id="theirs")]) == [True]
    both = Writing(first.serial, [*writing(first.serial).actions, PASS], 1)
    assert await commits.save([both, writing(second.serial, winner=2)]) == [False, True]
    assert await actions() == [(first.serial, 1), (second.serial, 1)]
    assert (await row(first)).status == "live"
    assert (await row(second)).winner == 2


async def test_an_item_that_fails_does_not_stop_the_others(commits):
    first, second = await make(2)
    batch = [writing(first.serial), writing(7), writing(second.serial, winner=1)]
    good, bad, fine = await commits.save(batch)
    assert (good, fine) == (True, True)
    assert isinstance(bad, DatabaseError)
    assert await actions() == [(first.serial, 1), (second.serial, 1)]
    assert (await row(second)).winner == 1


@pytest.mark.usefixtures("no_threads")
async def test_two_batches_are_saved_at_the_same_time(commits, other):
    first, second = await make(2)
    with other.transaction():
        other.execute("SELECT FROM games_match WHERE serial = %s FOR UPDATE", [first.serial])
        waits = asyncio.ensure_future(commits.save([writing(first.serial, winner=1)]))
        assert await commits.save([writing(second.serial)]) == [True]
        assert not waits.done()
    assert await waits == [True]
    assert len(commits.postgresql._lines) == 2


@pytest.mark.usefixtures("no_threads")
async def test_a_batch_larger_than_the_socket_takes_at_once_is_saved(commits):
    match = (await make(1))[0]

    def copies():
        rows = Match.objects.filter(pk=match.pk).values("game", "setup", "seat_1_id", "seat_2_id")
        fields = rows.get()
        return Match.objects.bulk_create(Match(**fields, status="live") for _ in range(5000))

    many = await database.read(copies)
    batch = [writing(one.serial, client_id="x" * 64) for one in many]
    assert await commits.save(batch) == [True] * len(many)
    assert await database.read(Action.objects.count) == len(many)


async def test_a_connection_lost_in_mid_batch_loses_nothing(commits, other):
    first, second = await make(2)
    assert await commits.save([writing(first.serial)]) == [True]
    lost = line_of(commits)
    with other.transaction():
        other.execute("LOCK TABLE games_action IN SHARE MODE")
        batch = [writing(first.serial, 2, 2, 3, "b"), writing(second.serial)]
        saving = asyncio.ensure_future(commits.save(batch))
        await until(lambda: is_waiting_for_a_lock(other, backend(lost)))
        other.execute("SELECT pg_terminate_backend(%s)", [backend(lost)])
        await until(lambda: lost.is_closed)
    assert await saving == [True, True]
    assert len(await actions()) == 3
    assert await commits.save([writing(second.serial, 2, 2, 3, "b")]) == [True]


async def test_a_commit_is_found_even_if_its_confirmation_was_lost(commits, other, monkeypatch):
    first, second = await make(2)
    assert await commits.save([writing(first.serial)]) == [True]
    monkeypatch.setattr(Line, "_finish", lambda line, answer: line.close())
    batch = [writing(first.serial, 2, 2, 3, "b", winner=2), writing(second.serial)]
    assert await commits.save(batch) == [True, True]
    assert len(await actions()) == 3
    assert (await row(first)).winner == 2


@pytest.mark.usefixtures("no_threads")
async def test_a_batch_that_waits_too_long_for_a_lock_fails_without_retries(
    commits, other, monkeypatch
):
    (match,) = await make(1)
    session = [one.replace(str(database.LONGEST_WAIT_MS), "50") for one in module._SESSION]
    monkeypatch.setattr(module, "_SESSION", session)
    await connect(commits)
    with other.transaction():
        other.execute("LOCK TABLE games_action IN ACCESS EXCLUSIVE MODE")
        (result,) = await commits.save([writing(match.serial)])
    assert isinstance(result, OperationalError)
    line = line_of(commits)
    # The connection is still good.
    assert await commits.save([writing(match.serial)]) == [True]
    assert line_of(commits) is line


@pytest.mark.usefixtures("no_threads")
async def test_a_batch_that_is_cancelled_gives_its_connection_up(commits, other):
    first, second = await make(2)
    await connect(commits)
    with other.transaction():
        other.execute("LOCK TABLE games_action IN SHARE MODE")
        saving = asyncio.ensure_future(commits.save([writing(first.serial)]))
        await until(lambda: is_waiting_for_a_lock(other, backend(line_of(commits))))
        saving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saving
        assert not commits.postgresql._lines
    assert await commits.save([writing(second.serial)]) == [True]


async def test_a_batch_in_flight_is_answered_when_everything_is_closed(commits, other):
    (match,) = await make(1)
    await connect(commits)
    with other.transaction():
        other.execute("LOCK TABLE games_action IN SHARE MODE")
        saving = asyncio.ensure_future(commits.save([writing(match.serial)]))
        await until(lambda: is_waiting_for_a_lock(other, backend(line_of(commits))))
        commits.close()
    assert await saving == [True]
    assert await actions() == [(match.serial, 1)]


@pytest.mark.usefixtures("no_threads")
async def test_a_connection_that_breaks_while_idle_is_replaced(commits, other):
    (match,) = await make(1)
    assert await commits.save([writing(match.serial)]) == [True]
    line = line_of(commits)
    other.execute("SELECT pg_terminate_backend(%s)", [backend(line)])
    await until(lambda: line.is_closed)
    assert await commits.save([writing(match.serial, 2, 2, 3, "b")]) == [True]
    assert line_of(commits) is not line


@pytest.mark.usefixtures("no_threads")
async def test_a_batch_waits_while_the_database_restarts_but_not_for_long(commits, monkeypatch):
    (match,) = await make(1)
    opened, attempts = Line.open, []

    async def open_the_second_time():
        attempts.append(1)
        if len(attempts) == 1:
            raise psycopg.OperationalError("the database system is starting up")
        return await opened()

    async def stay_away():
        raise psycopg.OperationalError("connection refused\nMore about it")

    monkeypatch.setattr(module, "CONNECT_EVERY", 0.01)
    monkeypatch.setattr(Line, "open", open_the_second_time)
    assert await commits.save([writing(match.serial)]) == [True]
    commits.close()
    monkeypatch.setattr(module, "LONGEST_WAIT", 0.05)
    monkeypatch.setattr(Line, "open", stay_away)
    (result,) = await commits.save([writing(match.serial, 2, 2, 3, "b")])
    assert isinstance(result, OperationalError)
    assert str(result) == "connection refused"


async def test_matches_are_found_by_an_index_however_small_the_tables_are(commits, other):
    for statement in module._SESSION:
        other.execute(statement)
    plan = other.execute("EXPLAIN EXECUTE save ('[]', '[]', '{1}', '{1}', now())").fetchall()
    assert "Index" in str(plan)
    assert "Seq Scan" not in str(plan)


async def test_a_write_in_the_thread_works_although_its_connection_broke_while_idle(other):
    def backend_of_thread():
        connection.ensure_connection()
        return connection.connection.info.backend_pid

    pid = await database.write(backend_of_thread)
    other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    assert await database.write(backend_of_thread) != pid
    assert await database.write(Match.objects.count) == 0
