"""Starts the systems to measure: this site in its variants, its peers, and the raw relay.

Each runs for the whole measurement, on the servers' core, with a data folder to itself.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

from bench.pinned import LOAD_CORE, ROOT, SERVER_CORE, running
from numgames_site.management.commands.serve import ADDRESSES, SERVERS

PEERS = ROOT / "bench" / "peers"

NewMatches = Callable[[int], Any]


@dataclass(frozen=True)
class System:
    """A running system. `client` tells the load generator how to talk to it."""

    client: str
    pids: Sequence[int]
    ports: Sequence[int]
    # Creates matches where the generator doesn't, and returns what its client needs to join them.
    new_matches: NewMatches = lambda count: None
    # Makes it collect its garbage.
    collect: Callable[[], object] = lambda: None
    # Whether it can be paused. A system that listens to Redis would miss messages.
    can_wait: bool = True

    def send(self, stop_or_go_on: signal.Signals) -> None:
        if self.can_wait:
            for pid in self.pids:
                os.kill(pid, stop_or_go_on)

    @property
    def bases(self) -> list[str]:
        return [f"http://127.0.0.1:{port}" for port in self.ports]


# --- This site -------------------------------------------------------------------------------


@contextlib.contextmanager
def numgames(
    server: str,
    *,
    synchronous: str = "NORMAL",
    postgresql: bool = False,
    cores: Sequence[int] = (SERVER_CORE,),
    frames: bool = True,
) -> Iterator[System]:
    """Run the whole product, except the limits on creating matches: a process for each core."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        environment = stack.enter_context(data_stores(folder, postgresql=postgresql))
        environment |= {
            "NUMGAMES_FRAMES": "on" if frames else "off",
            "NUMGAMES_SQLITE_SYNCHRONOUS": synchronous,
        }
        log = stack.enter_context(complaints(folder, server))
        yield stack.enter_context(serving(server, environment, log, cores))


@contextlib.contextmanager
def data_stores(folder: Path, *, postgresql: bool) -> Iterator[dict[str, str]]:
    """Yield the environment of a site with its data in this folder, or in PostgreSQL there."""
    environment = {
        "NUMGAMES_DATA": str(folder),
        "NUMGAMES_LIMITS": "off",
        "DATABASE_URL": f"sqlite:///{folder}/numgames.sqlite3",
        "REDIS_URL": "",
    }
    with contextlib.ExitStack() as stack:
        if postgresql:
            # They share this process's core with the load generator.
            datastores: Any = import_module("tests.datastores")
            environment["DATABASE_URL"] = stack.enter_context(datastores.postgresql(folder))
            environment["REDIS_URL"] = stack.enter_context(datastores.redis())
        yield environment


@contextlib.contextmanager
def serving(
    server: str, environment: dict[str, str], log: TextIO, cores: Sequence[int] = (SERVER_CORE,)
) -> Iterator[System]:
    command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", "0"]
    environment = {**environment, "NUMGAMES_SERVER": server}
    with contextlib.ExitStack() as stack:
        started = [
            stack.enter_context(
                running(command, core, environment, stdout=subprocess.PIPE, stderr=log)
            )
            for core in cores
        ]
        ports = [int(read(process, log, r"http://localhost:(\d+)/")) for process in started]
        new_matches = stack.enter_context(making_matches(environment, log))
        pids = [process.pid for process in started]
        can_wait = not environment["REDIS_URL"]
        yield System("numgames", pids, ports, new_matches, can_wait=can_wait)


@contextlib.contextmanager
def making_matches(environment: dict[str, str], log: TextIO) -> Iterator[NewMatches]:
    with running(
        [sys.executable, "-m", "bench.matches"],
        LOAD_CORE,
        environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
    ) as process:
        yield lambda count: json.loads(ask(process, log, str(count)))


# --- The limit, and what others would write -------------------------------------------------


@contextlib.contextmanager
def raw(server: str) -> Iterator[System]:
    """Run the raw relay on a server with the flags that this site uses."""
    with bare(server, "raw") as system:
        yield system


@contextlib.contextmanager
def plain(server: str) -> Iterator[System]:
    """Run the plain Django project in the same way."""
    with bare(server, "plain") as system:
        yield system


@contextlib.contextmanager
def bare(server: str, which: str) -> Iterator[System]:
    with (
        temporary_folder() as folder,
        complaints(folder, f"{which} {server}") as log,
        socket.create_server(("127.0.0.1", 0), backlog=1024) as listener,
    ):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        descriptor = listener.fileno()
        flags = [*ADDRESSES[server][False], *SERVERS[server], str(descriptor)]
        command = [sys.executable, "-m", server, *flags, f"bench.{which}:application"]
        with running(command, SERVER_CORE, stderr=log, pass_fds=[descriptor]) as process:
            yield System(which, [process.pid], [listener.getsockname()[1]])


# --- Peers -----------------------------------------------------------------------------------


@contextlib.contextmanager
def peer(which: str, *options: str) -> Iterator[System]:
    install(PEERS / which)
    with temporary_folder() as folder, complaints(folder, which) as log:
        command = ["node", str(PEERS / which / "server.mjs"), *options]
        environment = {"NODE_ENV": "production"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log}
        with running(command, SERVER_CORE, environment, **pipes) as process:
            port = int(read(process, log, r"(\d+)\n"))
            yield System(which, [process.pid], [port], collect=lambda: ask(process, log, "collect"))


def install(folder: Path) -> None:
    """Install a peer's packages, unless the pinned versions are there already."""
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    packages = {name: folder / "node_modules" / name / "package.json" for name in wanted}
    if all(
        package.exists() and json.loads(package.read_text())["version"] == wanted[name]
        for name, package in packages.items()
    ):
        return
    print(f"Installing {folder.name} …", file=sys.stderr)
    command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"]
    subprocess.run([*command, "--loglevel", "error"], cwd=folder, check=True, timeout=300)


# --- All of them -----------------------------------------------------------------------------

Scenario = Literal["playing", "thinking", "watching", "idle"]
SCENARIOS: tuple[Scenario, ...] = get_args(Scenario)


@dataclass(frozen=True)
class Kind:
    """How to start a system, and which scenarios it is measured in."""

    name: str
    start: Callable[[], contextlib.AbstractContextManager[System]]
    scenarios: Sequence[Scenario] = SCENARIOS


# Two processes on one core, or one of them on the core of the load generator and the data stores.
ONE_CORE, TWO_CORES = (SERVER_CORE, SERVER_CORE), (SERVER_CORE, LOAD_CORE)

SYSTEMS: dict[str, Kind] = {
    "boardgame.io": Kind("boardgame.io 0.50", lambda: peer("boardgame.io")),
    "colyseus": Kind("Colyseus 0.18", lambda: peer("colyseus")),
    "colyseus-50ms": Kind(
        "Colyseus 0.18, its default", lambda: peer("colyseus", "every-50-ms"), ["thinking"]
    ),
    "raw-daphne": Kind("raw daphne", lambda: raw("daphne"), ["playing", "thinking", "watching"]),
    "raw-uvicorn": Kind("raw uvicorn", lambda: raw("uvicorn"), ["playing", "thinking", "watching"]),
    "daphne-sqlite": Kind("daphne + SQLite", lambda: numgames("daphne")),
    "daphne-sqlite-no-frames": Kind(
        "daphne + SQLite, no frames",
        lambda: numgames("daphne", frames=False),
        ["playing", "thinking", "watching"],
    ),
    "daphne-full": Kind(
        "daphne + SQLite FULL", lambda: numgames("daphne", synchronous="FULL"), ["playing"]
    ),
    "daphne-postgresql": Kind(
        "daphne + PostgreSQL + Redis",
        lambda: numgames("daphne", postgresql=True),
        ["playing", "thinking"],
    ),
    "daphne-two": Kind(
        "2 daphne + PostgreSQL + Redis",
        lambda: numgames("daphne", postgresql=True, cores=ONE_CORE),
        ["playing"],
    ),
    "uvicorn-sqlite": Kind("uvicorn + SQLite", lambda: numgames("uvicorn")),
    "uvicorn-sqlite-no-frames": Kind(
        "uvicorn + SQLite, no frames",
        lambda: numgames("uvicorn", frames=False),
        ["playing", "thinking", "watching"],
    ),
    "uvicorn-full": Kind(
        "uvicorn + SQLite FULL", lambda: numgames("uvicorn", synchronous="FULL"), ["playing"]
    ),
    "uvicorn-postgresql": Kind(
        "uvicorn + PostgreSQL + Redis", lambda: numgames("uvicorn", postgresql=True)
    ),
    "uvicorn-two": Kind(
        "2 uvicorn + PostgreSQL + Redis",
        lambda: numgames("uvicorn", postgresql=True, cores=ONE_CORE),
        ["playing", "thinking"],
    ),
    **{
        f"{server}-two-cores": Kind(
            f"2 {server} on 2 cores, crowded",
            lambda server=server: numgames(server, postgresql=True, cores=TWO_CORES),  # type: ignore[misc]
            ["playing"],
        )
        for server in ("daphne", "uvicorn")
    },
}


# --- Taking turns ----------------------------------------------------------------------------


@contextlib.contextmanager
def only(system: System, systems: Iterable[System]) -> Iterator[None]:
    """Pause the other systems, so that their work doesn't slow this one down."""
    others = [other for other in systems if other is not system]
    try:
        for other in others:
            other.send(signal.SIGSTOP)
        yield
    finally:
        for other in others:
            other.send(signal.SIGCONT)


# --- Starting --------------------------------------------------------------------------------


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="numgames-bench-") as folder:
        yield Path(folder)


@contextlib.contextmanager
def complaints(folder: Path, name: str) -> Iterator[TextIO]:
    """Open a log file for a system, and print it at the end unless it is empty."""
    with (folder / "server.log").open("w+") as log:
        yield log
        log.seek(0)
        if text := log.read():
            print(f"The log of {name} is not empty:\n{text[-4000:]}", file=sys.stderr)


def read(process: subprocess.Popen[str], log: TextIO, pattern: str) -> str:
    """Read a process's next line and return what the pattern captures."""
    assert process.stdout is not None
    found = re.search(pattern, process.stdout.readline())
    if found is None:
        log.seek(0)
        raise SystemExit(f"{process.args!r} did not answer:\n{log.read()}")
    return found[1]


def ask(process: subprocess.Popen[str], log: TextIO, question: str) -> str:
    """Send a line to a process and return its answer."""
    assert process.stdin is not None
    process.stdin.write(f"{question}\n")
    process.stdin.flush()
    return read(process, log, r"(.*)\n")
