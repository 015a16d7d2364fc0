"""Locks beside the database: one process without Redis, or several that all have Redis.

Without Redis, processes would not hear of each other's moves, so the only process holds the
serving lock exclusively. With Redis, they share it, and a process without Redis is refused.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

import psycopg
from django.conf import settings
from django.db import connection

REFUSAL = (
    "Numgames already runs on this database, and that process or this one has no REDIS_URL. "
    "Several processes find each other through Redis: set REDIS_URL for all of them, "
    "or stop the other one."
)


# The environment variable with the file descriptor of a lock, while `serve` becomes the server.
HANDED_OVER = "NUMGAMES_LOCK"

# Seconds to retry, because PostgreSQL takes a moment to release the lock of a process that ended.
RETRY_FOR = 3.0


class AlreadyServing(Exception):
    """Another process holds the lock."""


class FileLock:
    """A lock on a file beside the SQLite database. The system releases it when the process ends."""

    def __init__(self, file: int) -> None:
        self._file = file

    @classmethod
    def on(cls, purpose: str) -> "FileLock":
        path = f"{connection.settings_dict['NAME']}.{purpose}.lock"
        return cls(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))

    @classmethod
    def handed_over(cls) -> "FileLock | None":
        """Return the lock that this process already held before it became a server."""
        if number := os.environ.pop(HANDED_OVER, ""):
            os.set_inheritable(int(number), False)
            return cls(int(number))
        return None

    def hand_over(self) -> None:
        os.set_inheritable(self._file, True)
        os.environ[HANDED_OVER] = str(self._file)

    def acquire(self, *, shared: bool = False, wait: bool = False) -> None:
        how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        try:
            fcntl.flock(self._file, how)
        except BlockingIOError:
            raise AlreadyServing(REFUSAL) from None

    def is_held(self) -> bool:
        return True

    def release(self) -> None:
        os.close(self._file)


class AdvisoryLock:
    """An advisory lock in PostgreSQL. It lasts as long as its connection, which isn't shared."""

    KEYS = {"serving": 7_305_001, "preparing": 7_305_002}

    def __init__(self, purpose: str) -> None:
        parameters = connection.get_connection_params()
        self._connection = psycopg.connect(**parameters, autocommit=True)
        self._key = self.KEYS[purpose]

    def hand_over(self) -> None:
        """Do nothing: the lock ends with the connection, and the server acquires it again."""

    def acquire(self, *, shared: bool = False, wait: bool = False) -> None:
        function = f"pg_{'' if wait else 'try_'}advisory_lock{'_shared' if shared else ''}"
        until = time.monotonic() + RETRY_FOR
        while self._call(function) is False:
            if time.monotonic() > until:
                self.release()
                raise AlreadyServing(REFUSAL)
            time.sleep(0.1)

    def _call(self, function: str) -> object:
        row = self._connection.execute(f"SELECT {function}(%s)", [self._key]).fetchone()
        return row and row[0]

    def is_held(self) -> bool:
        """Return False if PostgreSQL was restarted, which breaks the connection and its locks."""
        try:
            self._connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def release(self) -> None:
        self._connection.close()


Lock = FileLock | AdvisoryLock


def lock(purpose: str) -> Lock:
    return AdvisoryLock(purpose) if connection.vendor == "postgresql" else FileLock.on(purpose)


_serving: Lock | None = None


def hold_serving_lock() -> None:
    """Acquire the lock for as long as this process serves, unless it has it already.

    Raises `AlreadyServing` if another process holds it.
    """
    global _serving
    _serving = _serving or FileLock.handed_over()
    if _serving is not None and _serving.is_held():
        return
    acquired = lock("serving")
    acquired.acquire(shared=bool(settings.REDIS_URL))
    _serving = acquired


def hand_over() -> None:
    """Pass the lock on to the server that replaces this process, so that no other can take it."""
    assert _serving is not None
    _serving.hand_over()


@contextlib.contextmanager
def preparing() -> Iterator[None]:
    """Hold the lock for preparing the database and static files; other processes wait for it."""
    held = lock("preparing")
    held.acquire(wait=True)
    try:
        yield
    finally:
        held.release()
