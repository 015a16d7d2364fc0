"""Commits batches of actions: in the event loop's thread while that is quick, else in a thread.

Handing a batch to a thread and waiting for the answer takes several times as long as a small commit
to SQLite. But a commit may also have to wait: for a lock, for a slow disk, or with
`synchronous=FULL` for every sync. So the loop's own connection never waits for a lock, and after a
slow commit the next ones go to the thread for a while. PostgreSQL has a module of its own.
"""

import logging
import sqlite3
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from django.db import DatabaseError, connection

from games.matches import action_log, database
from games.matches.action_log import Writing, rows_of
from games.matches.postgresql_commits import AT_ONCE, PostgreSQLCommits

logger = logging.getLogger(__name__)

# A batch larger than this goes to the thread: the loop has other things to do in the meantime.
MOST_ROWS = 256
# In seconds. After a commit that took longer than this, the next ones go to the thread for a pause,
# so that slow commits hold the loop for at most a twentieth of the time. The pause is twice as long
# each time the first commit after it is slow again.
SLOW = 0.005
PAUSES = 20
LONGEST_PAUSE = 60.0


class Commits:
    """Saves batches for the writer."""

    def __init__(self) -> None:
        is_sqlite = connection.vendor == "sqlite"
        self.quick = QuickCommits() if is_sqlite else None
        self.postgresql = None if is_sqlite else PostgreSQLCommits()
        # How many batches may be saved at the same time.
        self.at_once = 1 if is_sqlite else AT_ONCE

    def save_now(self, writings: Sequence[Writing]) -> bool:
        """Commit a batch without waiting. False means that nothing was saved: use `save`."""
        return self.quick is not None and self.quick.save(writings)

    async def save(self, writings: Sequence[Writing]) -> list[bool | DatabaseError]:
        """Commit a batch and wait for it. Return what `action_log.commit` returns."""
        if self.postgresql is not None:
            return await self.postgresql.save(writings)
        return await database.write(action_log.commit, writings)

    def close(self) -> None:
        if self.quick is not None:
            self.quick.close()
        if self.postgresql is not None:
            self.postgresql.close()


class QuickCommits:
    """A connection to SQLite for the event loop's thread."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._resume_at = 0.0
        # How many times as long as the last slow commit took.
        self._pauses = PAUSES

    def save(self, writings: Sequence[Writing]) -> bool:
        """Commit a batch. False means that nothing was saved, and it should go to the thread."""
        began = time.monotonic()
        if began < self._resume_at or len(writings) > MOST_ROWS:
            return False
        try:
            saved = self._write(writings)
        except sqlite3.Error:
            # Locked, or worse. The thread waits for locks, and finds out what is wrong.
            saved = False
            self._roll_back()
        ended = time.monotonic()
        took = ended - began
        if took <= SLOW:
            self._pauses = PAUSES
        else:
            self._resume_at = ended + min(LONGEST_PAUSE, self._pauses * took)
            self._pauses *= 2
        return saved

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _write(self, writings: Sequence[Writing]) -> bool:
        rows = rows_of(writings)
        ended = [writing for writing in writings if writing.winner is not None]
        execute = (self._connection or self._connect()).execute
        insert, values = _insert(len(rows)), [value for row in rows for value in row]
        if len(rows) == 1 and not ended:
            # A single statement is a transaction already.
            return execute(insert, values).rowcount == 1
        execute("BEGIN IMMEDIATE")
        if execute(insert, values).rowcount != len(rows):
            execute("ROLLBACK")
            return False
        now = _now()
        for writing in ended:
            execute(_END, (writing.winner, now, writing.match_serial))
        execute("COMMIT")
        return True

    def _connect(self) -> sqlite3.Connection:
        settings = connection.settings_dict
        made = sqlite3.connect(
            settings["NAME"], timeout=0, isolation_level=None, cached_statements=2 * MOST_ROWS
        )
        try:
            made.executescript(settings["OPTIONS"]["init_command"])
            made.execute("PRAGMA foreign_keys = ON")
            made.execute(f"PRAGMA wal_autocheckpoint = {database.LONGEST_LOG}")
            # It only adds rows at the end, so it needs few pages.
            made.execute("PRAGMA cache_size = -8000")
        except sqlite3.Error:
            made.close()
            raise
        self._connection = made
        return made

    def _roll_back(self) -> None:
        try:
            if self._connection is not None and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            logger.exception("A commit could not be rolled back; opening a new connection")
            self.close()


@lru_cache(maxsize=2 * MOST_ROWS)
def _insert(count: int) -> str:
    """Return the statement that inserts this many rows, and skips those already there."""
    return action_log.insert_statement(count).replace("%s", "?")


_END = action_log.END_STATEMENT.replace("%s", "?")


def _now() -> str:
    """Return the time as Django stores it in SQLite, without asking for Django's connection."""
    return datetime.now(UTC).replace(tzinfo=None).isoformat(" ")
