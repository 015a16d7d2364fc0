"""Threads in which live matches use the database, each with a connection of its own kept open.

Django reconnects for every request and shares one thread for all asynchronous callers; a server of
moves can afford neither.
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

# The database does not answer, or not in time: for now nothing can be read or written.
AWAY = (OperationalError, InterfaceError, psycopg.OperationalError)

# Waiting for a lock must end before the client gives up and sends again, after three seconds. The
# whole statement has a little longer, because PostgreSQL looks at that limit first.
LONGEST_WAIT_MS = 2300
LONGEST_STATEMENT_MS = 2600

# In pages of 4 KB. It is kept far shorter by `checkpoint`; this is for when that does not come.
LONGEST_LOG = 40_000

_readers = ThreadPoolExecutor(2, thread_name_prefix="read")
_writer = ThreadPoolExecutor(1, thread_name_prefix="write")


@receiver(connection_created)
def limit_waiting(connection: BaseDatabaseWrapper, **_: object) -> None:
    """The writer's connection waits less long for a lock than others do."""
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
    """Run a selector; a connection that broke meanwhile is replaced."""

    def run() -> R:
        try:
            return function(*args, **kwargs)
        except (OperationalError, InterfaceError):
            connection.close()
            return function(*args, **kwargs)

    return await asyncio.get_running_loop().run_in_executor(_readers, run)


async def write(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a service in the one thread that writes for live matches.

    It is not tried again: whether it was done is unknown. But the next one has a new connection.
    """

    def run() -> R:
        try:
            return function(*args, **kwargs)
        except AWAY:
            connection.close()
            raise

    return await asyncio.get_running_loop().run_in_executor(_writer, run)


def checkpoint() -> None:
    """Take what stands in SQLite's log over into its file.

    Otherwise a commit does it now and then, and every move waits while the disk is written to.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")


def is_lock_timeout(error: Exception) -> bool:
    """Whether a statement failed because it waited too long for a lock, or took too long."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The lowest byte is the kind of error, the others its details.
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return isinstance(cause, LockNotAvailable | QueryCanceled)


def first_line(error: Exception) -> str:
    """What an error says; PostgreSQL adds lines that quote the statement."""
    return str(error).partition("\n")[0]
