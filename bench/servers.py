"""The servers under load: this product as `manage.py serve` starts it, and the limit beside it."""

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from bench.pinned import SERVER_CORE, running


@dataclass(frozen=True)
class Server:
    """A server that runs; `system` is what the load generator calls its kind."""

    name: str
    system: str
    pid: int
    port: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def numgames() -> Iterator[Server]:
    """All of the product on, in a folder of its own, except the limits on creating matches."""
    with tempfile.TemporaryDirectory(prefix="numgames-bench-") as folder, log(folder) as errors:
        environment = {
            "NUMGAMES_DATA": folder,
            "NUMGAMES_LIMITS": "off",
            "DATABASE_URL": f"sqlite:///{folder}/numgames.sqlite3",
            "REDIS_URL": "",
        }
        command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", "0"]
        with running(
            command, SERVER_CORE, environment, stdout=subprocess.PIPE, stderr=errors
        ) as process:
            assert process.stdout is not None
            found = re.search(r"http://localhost:(\d+)/", process.stdout.readline())
            if found is None:
                raise SystemExit("The server did not start:\n" + Path(errors.name).read_text())
            yield Server("numgames, daphne + SQLite", "numgames", process.pid, int(found[1]))


@contextlib.contextmanager
def raw(beside: Server) -> Iterator[Server]:
    """The raw relay, on the flags with which the server beside it runs."""
    with (
        tempfile.TemporaryDirectory(prefix="numgames-bench-") as folder,
        log(folder) as errors,
        socket.create_server(("127.0.0.1", 0), backlog=1024) as listener,
    ):
        command = daphne_command(beside.pid)
        command[command.index("--fd") + 1] = str(listener.fileno())
        command[-1] = "bench.raw:application"
        with running(command, SERVER_CORE, stderr=errors, pass_fds=[listener.fileno()]) as process:
            yield Server("raw ASGI, daphne", "raw", process.pid, listener.getsockname()[1])


def daphne_command(pid: int) -> list[str]:
    """How daphne was started; `manage.py serve` becomes daphne a moment after it has its port."""
    for _ in range(100):
        command = Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
        if "daphne" in command:
            return command
        time.sleep(0.1)
    raise SystemExit("The server has not become daphne.")


@contextlib.contextmanager
def log(folder: str) -> Iterator[TextIO]:
    """A file for what a server complains about, shown in the end if there is anything."""
    with (Path(folder) / "server.log").open("w+") as file:
        yield file
        file.seek(0)
        if complaints := file.read():
            print("The server's log is not empty:\n" + complaints[-4000:], file=sys.stderr)
