"""The real server as a process of its own, on a free port and a data folder of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


class Server:
    """One server process; `stop` checks that its log is empty."""

    def __init__(self, data: Path, port: int = 0, **environment: str) -> None:
        self.log = data / "server.log"
        with self.log.open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)],
                cwd=ROOT,
                env={**os.environ, "NUMGAMES_DATA": str(data), **environment},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", first)
        assert found, first + self.log.read_text()
        self.port = int(found[1])
        self.http = f"http://127.0.0.1:{self.port}"
        self.ws = f"ws://127.0.0.1:{self.port}"

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.communicate(timeout=30)

    def stop(self) -> None:
        self.end()
        assert self.log.read_text() == ""


@contextmanager
def serving(data: Path, port: int = 0, **environment: str) -> Iterator[Server]:
    """Serve on 127.0.0.1 as `make run` does."""
    server = Server(data, port, **environment)
    try:
        yield server
    finally:
        server.stop()
