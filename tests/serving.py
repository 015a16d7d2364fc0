"""Run the real server in a separate process, with its own port and data folder."""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent


class Server:
    """One server process, which can be ended and restarted with the same port and data.

    `stop` checks that the process is still running and that its log has only `expected` lines.
    """

    def __init__(
        self, data: Path, port: int = 0, descriptors: int | None = None, **environment: str
    ) -> None:
        """`descriptors` is the hard limit on open files and sockets, if it should be low."""
        self.data, self.port, self.environment = data, port, environment
        self.descriptors = descriptors
        self.log = data / "server.log"
        # Parts of the log lines that the test causes on purpose.
        self.expected: list[str] = []
        self.start()

    def start(self) -> None:
        with self.log.open("a") as errors:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "manage.py", "serve"),
                    *("--host", "127.0.0.1", "--port", str(self.port)),
                ],
                preexec_fn=self.limit_descriptors if self.descriptors else None,
                cwd=ROOT,
                env={**os.environ, "NUMGAMES_DATA": str(self.data), **self.environment},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", first)
        if not found:
            self.process.communicate(timeout=30)
            raise AssertionError(first + self.log.read_text())
        self.port = int(found[1])
        self.http = f"http://127.0.0.1:{self.port}"
        self.ws = f"ws://127.0.0.1:{self.port}"
        self.is_up = True
        if self.environment.get("NUMGAMES_PROXY") == "1":
            self._wait_for_port()

    def _wait_for_port(self) -> None:
        """Wait until it listens; behind a proxy it does so only when it can answer."""
        while self.process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def limit_descriptors(self) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.is_up = False
        if how is signal.SIGKILL:
            # Python notes that a killed process has left semaphores behind, if its solver had
            # started.
            self.expected.append("resource_tracker")
        self.process.send_signal(how)
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            # Don't leave a hanging process behind when the test fails.
            self.process.kill()
            self.process.communicate()
            raise

    def stop(self) -> None:
        if self.is_up:
            assert self.process.poll() is None, self.log.read_text()
            self.end()
        assert not self.complaints(), "\n".join(self.complaints())

    def complaints(self) -> list[str]:
        """Return the log lines that were not expected."""
        return [
            line
            for line in self.log.read_text().splitlines()
            if not any(part in line for part in self.expected)
        ]


@contextmanager
def serving(
    data: Path, port: int = 0, descriptors: int | None = None, **environment: str
) -> Iterator[Server]:
    """Run a server on 127.0.0.1, as `make run` does."""
    server = Server(data, port, descriptors, **environment)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def serving_together(data: Path, count: int = 2, **environment: str) -> Iterator[list[Server]]:
    """Run several processes of one site, with the same secret key and environment."""
    environment.setdefault(
        "NUMGAMES_SECRET_KEY", "the same for all processes of a site, as a deployment has it"
    )
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        starting = []
        for number in range(count):
            folder = data / str(number)
            folder.mkdir()
            starting.append(pool.submit(stack.enter_context, serving(folder, **environment)))
        yield [server.result() for server in starting]
