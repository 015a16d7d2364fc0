"""Run `make cluster` in a test: what `deploy/` ships, with real PostgreSQL, Redis and nginx."""

import contextlib
import os
import random
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.serving import ROOT


class Cluster:
    """A running cluster. `door` is nginx if it is installed, else the first process."""

    def __init__(self, process: subprocess.Popen[str], data: Path, said: str) -> None:
        self.process, self.data = process, data
        self.addresses = [
            SimpleNamespace(http=http, ws=http.replace("http", "ws"))
            for http in re.findall(r"(http://localhost:\d+)/", said)
        ]
        self.door = self.addresses[0]
        self.has_nginx = len(self.addresses) == 3

    def require_nginx(self) -> None:
        if not self.has_nginx:
            absent = "nginx is not installed here (Debian: apt-get install nginx-light)."
            pytest.fail(absent) if os.environ.get("CI") == "true" else pytest.skip(absent)

    def pids(self) -> list[int]:
        """Return the servers' process ids, the one that runs longest first."""
        children = subprocess.run(
            ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        return [int(line.split()[0]) for line in children.splitlines() if "asgi" in line]

    def wait_for_line(self, text: str) -> None:
        assert self.process.stdout is not None
        while text not in (line := self.process.stdout.readline()):
            assert line, "The cluster has ended."


def three_free_ports() -> int:
    """Return the first of three consecutive free ports."""
    while True:
        first = random.randrange(20_000, 32_000)
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + 3):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


@contextlib.contextmanager
def running_cluster(data: Path, **environment: str) -> Iterator[Cluster]:
    """Run a cluster of two processes; at the end, check that it stops and has logged nothing."""
    inherited = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "deploy.cluster"),
            *("--data", str(data), "--port", str(three_free_ports())),
        ],
        cwd=ROOT,
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while "Ctrl-C" not in said:
                line = process.stdout.readline()
                assert line, said
                said += line
            yield Cluster(process, data, said)
        finally:
            process.terminate()
            process.communicate(timeout=60)
    assert process.returncode == 0
    assert all(log.stat().st_mode & 0o077 == 0 for log in data.glob("*.log"))
    for log in data.glob("server-*.log"):
        assert log.read_text() == ""
