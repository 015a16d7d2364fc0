"""One process alone, or several that know of each other: locks beside the database.

Without Redis the processes would not hear of each other's moves, so the only one has the lock for
itself. With Redis they share it, and one without Redis cannot come between them.
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
    "Numgames runs on this database already, and it or this process has no REDIS_URL. "
    "Several processes find each other through Redis: give REDIS_URL to all of them, "
    "or stop the other one."
)


# Names the file of a lock that a process holds while another program takes it over.
HANDED_OVER = "NUMGAMES_LOCK"

# PostgreSQL takes a moment to notice that a process has ended, and with it its lock.
NOTICED_WITHIN = 3.0


class NotAlone(Exception):
    """Another process holds the lock."""


class FileLock:
    """Beside an SQLite file. The system ends it with the process, whatever ends that."""

    def __init__(self, file: int) -> None:
        self._file = file

    @classmethod
    def on(cls, purpose: str) -> "FileLock":
        path = f"{connection.settings_dict['NAME']}.{purpose}.lock"
        return cls(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))

    @classmethod
    def handed_over(cls) -> "FileLock | None":
        """The one that this process held before it became a server."""
        if number := os.environ.pop(HANDED_OVER, ""):
            os.set_inheritable(int(number), False)
            return cls(int(number))
        return None

    def hand_over(self) -> None:
        os.set_inheritable(self._file, True)
        os.environ[HANDED_OVER] = str(self._file)

    def take(self, *, shared: bool = False, wait: bool = False) -> None:
        how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        try:
            fcntl.flock(self._file, how)
        except BlockingIOError:
            raise NotAlone(REFUSAL) from None

    def is_held(self) -> bool:
        return True

    def let_go(self) -> None:
        os.close(self._file)


class AdvisoryLock:
    """In PostgreSQL, on a connection of its own, with which it ends."""

    KEYS = {"serving": 7_305_001, "preparing": 7_305_002}

    def __init__(self, purpose: str) -> None:
        parameters = connection.get_connection_params()
        self._connection = psycopg.connect(**parameters, autocommit=True)
        self._key = self.KEYS[purpose]

    def hand_over(self) -> None:
        """It ends with the connection; the server takes it anew."""

    def take(self, *, shared: bool = False, wait: bool = False) -> None:
        function = f"pg_{'' if wait else 'try_'}advisory_lock{'_shared' if shared else ''}"
        until = time.monotonic() + NOTICED_WITHIN
        while self._ask(function) is False:
            if time.monotonic() > until:
                self.let_go()
                raise NotAlone(REFUSAL)
            time.sleep(0.1)

    def _ask(self, function: str) -> object:
        row = self._connection.execute(f"SELECT {function}(%s)", [self._key]).fetchone()
        return row and row[0]

    def is_held(self) -> bool:
        """A server that was restarted has forgotten its locks, and the connection is broken."""
        try:
            self._connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def let_go(self) -> None:
        self._connection.close()


Lock = FileLock | AdvisoryLock


def lock(purpose: str) -> Lock:
    return AdvisoryLock(purpose) if connection.vendor == "postgresql" else FileLock.on(purpose)


_serving: Lock | None = None


def serve_alone_or_together() -> None:
    """Take the lock for as long as this process serves, or raise `NotAlone`."""
    global _serving
    _serving = _serving or FileLock.handed_over()
    if _serving is not None and _serving.is_held():
        return
    taken = lock("serving")
    taken.take(shared=bool(settings.REDIS_URL))
    _serving = taken


def hand_over() -> None:
    """Let the server that takes over this process have the lock, so that nobody comes between."""
    assert _serving is not None
    _serving.hand_over()


@contextlib.contextmanager
def preparing() -> Iterator[None]:
    """While one process prepares the database and the static files, the others wait."""
    held = lock("preparing")
    held.take(wait=True)
    try:
        yield
    finally:
        held.let_go()
