"""The database threads for live matches, each with its own open connection.

Django would reconnect for every request and share one thread between all asynchronous callers; both
are too slow for a move.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import psycopg
from django.db import InterfaceError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from psycopg.errors import LockNotAvailable, QueryCanceled

P = ParamSpec("P")
R = TypeVar("R")

# The database doesn't answer, or not in time.
AWAY = (OperationalError, InterfaceError, psycopg.OperationalError)

# Waiting for a lock must end before the client gives up and sends again, after three seconds. The
# limit on the whole statement is longer, because PostgreSQL checks it first.
LONGEST_WAIT_MS = 2300
LONGEST_STATEMENT_MS = 2600

# In pages of 4 KB. `checkpoint` keeps the log far shorter; this is the fallback.
LONGEST_LOG = 40_000

_readers = ThreadPoolExecutor(2, thread_name_prefix="read")
_writer = ThreadPoolExecutor(1, thread_name_prefix="write")


@receiver(connection_created)
def limit_waiting(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Limit how long the writer's connection waits for a lock."""
    if not threading.current_thread().name.startswith("write"):
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {LONGEST_WAIT_MS}")
            cursor.execute(f"PRAGMA wal_autocheckpoint = {LONGEST_LOG}")
        else:
            cursor.execute(f"SET lock_timeout = {LONGEST_WAIT_MS}")
            cursor.execute(f"SET statement_timeout = {LONGEST_STATEMENT_MS}")


async def read(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a selector in a thread; if the connection broke, reconnect and retry once."""

    def run() -> R:
        try:
            return function(*args, **kwargs)
        except (OperationalError, InterfaceError):
            connection.close()
            return function(*args, **kwargs)

    return await asyncio.get_running_loop().run_in_executor(_readers, run)


async def write(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a service in the one thread that writes for live matches.

    It isn't retried, because the write may have gone through. So we check the connection first: it
    may have been idle while the database was restarted.
    """

    def run() -> R:
        if connection.connection is not None and not connection.is_usable():
            connection.close()
        try:
            return function(*args, **kwargs)
        except AWAY:
            connection.close()
            raise

    return await asyncio.get_running_loop().run_in_executor(_writer, run)


def checkpoint() -> None:
    """Move SQLite's write-ahead log into its database file.

    Otherwise a commit does it now and then, and every move waits for the disk.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")


def is_lock_timeout(error: Exception) -> bool:
    """Return whether a statement failed because it waited too long for a lock, or ran too long."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The lowest byte is the kind of error, the others its details.
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return isinstance(cause, LockNotAvailable | QueryCanceled)


def first_line(error: Exception) -> str:
    """Return an error's message without the lines in which PostgreSQL quotes the statement."""
    return str(error).partition("\n")[0]
