"""Commits batches of actions to PostgreSQL from the event loop, without a thread.

A batch is one prepared statement. It is a transaction by itself, so it takes one round trip. libpq
sends it without blocking, and the loop tells us when the answer has arrived.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import msgspec
import psycopg
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone
from psycopg import pq
from psycopg.pq.abc import PGresult

from games.matches import action_log, database
from games.matches.action_log import COLUMNS, Writing, rows_of
from games.models import Action, Match

# How many batches may be saved at once: while one waits for the disk, another is written.
AT_ONCE = 2
# While the database is away, a batch waits this long for a connection. It must be answered before
# the clients send it again.
LONGEST_WAIT = 2.0
CONNECT_EVERY = 0.1

_ACTIONS, _MATCHES = Action._meta.db_table, Match._meta.db_table


def _insert(rows: str) -> str:
    # One JSON parameter is cheaper than seven parameters for every row.
    return (
        f"INSERT INTO {_ACTIONS} ({COLUMNS}) SELECT (r->>0)::int8, (r->>1)::int, (r->>2)::int, "
        f"r->>3, r->>4, r->>5, (r->>6)::float8 FROM jsonb_array_elements({rows}) r"
    )


# A conflict shows as a row that isn't returned; an exception would abort the whole batch.
_SAVE_ONE_EACH = f"{_insert('$1')} ON CONFLICT DO NOTHING RETURNING match_serial"
# The parameters: the first action of each match, the other actions, which matches end, which of
# those seat 1 wins, and the time. If a match's first action conflicts, nothing of it is written.
_SAVE = f"""
    WITH written AS ({_SAVE_ONE_EACH}),
    others AS (
        {_insert("$2")} WHERE (r->>0)::int8 = ANY(ARRAY(SELECT match_serial FROM written))
    ),
    ended AS (
        UPDATE {_MATCHES}
        SET status = 'finished', ended = $5,
            winner = CASE WHEN serial = ANY($4) THEN 1 ELSE 2 END
        WHERE serial = ANY(ARRAY(SELECT match_serial FROM written WHERE match_serial = ANY($3)))
    )
    SELECT match_serial FROM written
"""
_SESSION = (
    f"SET lock_timeout = {database.LONGEST_WAIT_MS}",
    f"SET statement_timeout = {database.LONGEST_STATEMENT_MS}",
    # Plans are made once, perhaps while the tables are small, and must suit large tables too.
    "SET enable_seqscan = off",
    f"PREPARE save_one_each (jsonb) AS {_SAVE_ONE_EACH}",
    f"PREPARE save (jsonb, jsonb, int8[], int8[], timestamptz) AS {_SAVE}",
)

# Sqlstates of a statement that waited too long for a lock, or ran too long.
_TIMED_OUT = (b"55P03", b"57014")


class TimedOut(Exception):
    """PostgreSQL gave up on a statement. Nothing was saved."""


class Failed(Exception):
    """A statement failed. If the connection broke, it may have been committed."""


class PostgreSQLCommits:
    """Saves batches through connections that belong to the event loop, one per batch in flight."""

    def __init__(self) -> None:
        self._lines: set[Line] = set()

    async def save(self, writings: Sequence[Writing]) -> list[bool | DatabaseError]:
        """Commit a batch with one item per match, and return what `action_log.commit` returns."""
        try:
            line = self._idle_line() or await self._new_line()
        except (psycopg.Error, TimeoutError) as error:
            # Nothing was sent.
            away = OperationalError(database.first_line(error) or "no connection in time")
            return [away] * len(writings)
        try:
            written = await line.run(*_statement(writings))
        except TimedOut as error:
            # Don't retry: the clients have waited long enough.
            return [OperationalError(str(error))] * len(writings)
        except Failed:
            self._drop(line)
            return await database.write(action_log.commit_each, writings)
        except BaseException:
            self._drop(line)
            raise
        if written.ntuples == len(writings):
            return [True] * len(writings)
        serials = {int(written.get_value(row, 0) or 0) for row in range(written.ntuples)}
        return [writing.match_serial in serials for writing in writings]

    def close(self) -> None:
        for line in tuple(self._lines):
            self._drop(line)

    def _drop(self, line: "Line") -> None:
        self._lines.discard(line)
        line.close()

    def _idle_line(self) -> "Line | None":
        for line in tuple(self._lines):
            if line.is_closed:
                self._drop(line)
            elif line.is_idle:
                return line
        return None

    async def _new_line(self) -> "Line":
        give_up = time.monotonic() + LONGEST_WAIT
        while True:
            try:
                async with asyncio.timeout(LONGEST_WAIT):
                    line = await Line.open()
                break
            except psycopg.OperationalError:
                # The database may be restarting.
                if time.monotonic() > give_up:
                    raise
                await asyncio.sleep(CONNECT_EVERY)
        self._lines.add(line)
        return line


class Line:
    """A connection that the event loop reads from. It runs one statement at a time."""

    def __init__(self, opened: "psycopg.AsyncConnection[Any]") -> None:
        # Kept, because it closes the connection when it is deleted.
        self._opened = opened
        self._pgconn = opened.pgconn
        self._socket = opened.pgconn.socket
        self._answer: asyncio.Future[PGresult] | None = None
        self._results: list[PGresult] = []
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._socket, self._read)
        self.is_closed = False

    @classmethod
    async def open(cls) -> "Line":
        settings = connection.get_connection_params()
        settings |= {"autocommit": True, "cursor_factory": psycopg.AsyncCursor}
        opened = await psycopg.AsyncConnection.connect(**settings)
        try:
            for statement in _SESSION:
                await opened.execute(statement)
        except BaseException:
            opened.pgconn.finish()
            raise
        return cls(opened)

    @property
    def is_idle(self) -> bool:
        return self._answer is None

    async def run(self, statement: bytes, parameters: list[bytes]) -> PGresult:
        """Run a prepared statement; return its result after the commit."""
        self._results = []
        answer: asyncio.Future[PGresult] = self._loop.create_future()
        self._answer = answer
        try:
            self._pgconn.send_query_prepared(statement, parameters)
            if self._pgconn.flush():
                self._loop.add_writer(self._socket, self._write_more)
            return await answer
        except psycopg.Error as error:
            raise Failed from error
        finally:
            self._answer = None

    def close(self) -> None:
        """Close the connection. A statement in flight fails, and perhaps it is committed."""
        if self.is_closed:
            return
        self.is_closed = True
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._pgconn.finish()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Failed("the connection was closed"))

    def _write_more(self) -> None:
        try:
            if not self._pgconn.flush():
                self._loop.remove_writer(self._socket)
        except psycopg.Error:
            self.close()

    def _read(self) -> None:
        """Read what has arrived. The statement is committed only when there are no more results."""
        try:
            self._pgconn.consume_input()
            while self._answer is not None and not self._pgconn.is_busy():
                result = self._pgconn.get_result()
                if result is None:
                    self._finish(self._answer)
                    return
                self._results.append(result)
        except psycopg.Error:
            self.close()

    def _finish(self, answer: "asyncio.Future[PGresult]") -> None:
        if answer.done():
            return
        # The statement may succeed and then its commit fail, when a foreign key is checked.
        last = self._results[-1]
        if last.status == pq.ExecStatus.TUPLES_OK:
            answer.set_result(last)
            return
        reason = last.get_error_message()
        timed_out = last.error_field(pq.DiagnosticField.SQLSTATE) in _TIMED_OUT
        answer.set_exception(TimedOut(reason) if timed_out else Failed(reason))


def _statement(writings: Sequence[Writing]) -> tuple[bytes, list[bytes]]:
    """Return the name of the statement that saves a batch, and its parameters."""
    # In the same order everywhere, so that two processes don't wait for each other.
    writings = sorted(writings, key=attrgetter("match_serial"))
    ended = [one for one in writings if one.winner is not None]
    several = [one for one in writings if len(one.actions) > 1]
    if not ended and not several:
        return b"save_one_each", [_encode(rows_of(writings))]
    first, others = writings, []
    if several:
        first = [one._replace(actions=one.actions[:1]) for one in writings]
        others = [one._replace(actions=one.actions[1:]) for one in several]
    return b"save", [
        _encode(rows_of(first)),
        _encode(rows_of(others)),
        _array(one.match_serial for one in ended),
        _array(one.match_serial for one in ended if one.winner == 1),
        timezone.now().isoformat().encode(),
    ]


_encode = msgspec.json.Encoder().encode


def _array(serials: Iterable[int]) -> bytes:
    return f"{{{','.join(map(str, serials))}}}".encode()
