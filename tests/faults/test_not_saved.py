"""The database can't save a move: it is rejected with a message and never acknowledged."""

import asyncio
import resource
import sqlite3
import time
from contextlib import AsyncExitStack, closing, contextmanager

import psycopg
import pytest

from tests.faults.player import Player, joined
from tests.faults.truth import Database
from tests.live.client import new_pair

# The writer waits 2.3 s for a lock; a request that arrives during such a wait waits twice.
PATIENCE = 6


@contextmanager
def sqlite_locked(server):
    with closing(sqlite3.connect(server.data / "numgames.sqlite3")) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.rollback()


@contextmanager
def disk_full(server):
    """Stop the server from writing past the first page of any file."""
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def postgresql_locked(url):
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE games_action IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@pytest.fixture(params=["SQLite locked", "PostgreSQL locked", "disk full"])
def trouble(request):
    """A server, its database, and a context manager that causes the fault."""
    if request.param == "PostgreSQL locked":
        server, database = request.getfixturevalue("pair")[0], request.getfixturevalue("database")
        return server, database, postgresql_locked(database.url)
    server = request.getfixturevalue("alone")
    fault = sqlite_locked if request.param == "SQLite locked" else disk_full
    return server, Database(str(server.data / "numgames.sqlite3")), fault(server)


async def test_a_move_that_cannot_be_saved_is_rejected_and_can_be_retried(trouble, measured):
    server, database, fault = trouble
    server.expected.append("was not saved")

    async with AsyncExitStack() as stack:
        pairs = []
        for _ in range(5):
            match_id, *tokens = await asyncio.to_thread(new_pair, server)
            # Without a heartbeat nothing is resent automatically.
            players = (Player(lambda: server.ws, match_id, token, beats=False) for token in tokens)
            pairs.append(await stack.enter_async_context(joined(*players)))
        for first, second in pairs:
            assert await first.played(6) is None
            await second.until(lambda second=second: second.may_move)
        with fault:
            begin = time.monotonic()
            moves = [second.played(3) for _, second in pairs[:4]]
            refusals = await asyncio.gather(*moves, pairs[4][0].asked("resign"))
            took = time.monotonic() - begin
        assert [refusal and refusal["code"] for refusal in refusals] == ["not_saved"] * 5
        assert all(refusal["text"].endswith(".") for refusal in refusals)
        measured["rejected after"] = took
        assert took < PATIENCE
        for first, second in pairs:
            assert database.records()[first.match_id].board()["version"] == 1
            assert await second.played(3) is None
            await first.until(lambda first=first: first.version == 2)
            assert database.records()[first.match_id].board()["version"] == 2
            assert not first.closings + second.closings


async def test_a_rematch_that_cannot_be_saved_is_rejected_too(alone):
    alone.expected.append("was not saved")

    match_id, *tokens = await asyncio.to_thread(new_pair, alone)
    async with joined(*(Player(lambda: alone.ws, match_id, token) for token in tokens)) as (
        first,
        second,
    ):
        assert await first.asked("resign") is None
        with sqlite_locked(alone):
            refusal = await second.asked("rematch")
        assert refusal["code"] == "not_saved"
        second.ask("rematch")
        await first.until(lambda: first.board["rematch"]["offered_by"] == 2)
