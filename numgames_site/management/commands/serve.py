"""`manage.py serve`: prepare the database and static files, print the addresses, and serve."""

import os
import socket
import sys
from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.live import descriptors
from numgames_site import permissions
from numgames_site.servers import locks

# daphne's limit applies in both directions, so the longest snapshot must fit. Messages from clients
# have a lower limit (games/live/frames/counter.py).
LONGEST_MESSAGE = str(256 * 1024)

# The command line of each server, which ends with the number of the socket to serve on.
SERVERS = {
    "daphne": [
        *("--verbosity", "0", "--application-close-timeout", "2"),
        *("--ping-interval", "10", "--ping-timeout", "10"),
        *("--websocket-max-message-size", LONGEST_MESSAGE),
        *("--websocket-max-frame-size", LONGEST_MESSAGE),
        "--fd",
    ],
    "uvicorn": [
        *("--loop", "uvloop", "--http", "httptools"),
        *("--lifespan", "off", "--log-level", "warning", "--no-access-log"),
        *("--no-server-header", "--timeout-graceful-shutdown", "3"),
        *("--ws-ping-interval", "10", "--ws-ping-timeout", "10"),
        *("--ws-max-size", LONGEST_MESSAGE, "--ws-per-message-deflate", "false"),
        "--fd",
    ],
}
# Where rate limits get a client's address from: the connection, or the proxy in front.
ADDRESSES = {
    "daphne": {False: [], True: ["--proxy-headers"]},
    "uvicorn": {
        False: ["--no-proxy-headers"],
        True: ["--proxy-headers", "--forwarded-allow-ips", "*"],
    },
}
UVICORN_PACKAGES = ("uvicorn", "uvloop", "httptools", "websockets")


class Command(BaseCommand):
    help = "Prepare the database and the static files, then serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0")
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"))
        parser.add_argument("--server", default=os.environ.get("NUMGAMES_SERVER") or "daphne")

    def handle(self, *args: Any, **options: Any) -> None:
        server = installed(options["server"])
        check_settings()
        descriptors.raise_limit()
        listener = listen(options["host"], options["port"])
        try:
            locks.hold_serving_lock()
        except locks.AlreadyServing as refusal:
            raise CommandError(str(refusal)) from None
        except psycopg.OperationalError as error:
            raise CommandError(
                f"The database does not answer. Check DATABASE_URL. {error}"
            ) from None
        with locks.preparing():
            call_command("migrate", verbosity=0)
            with permissions.readable_by_all():
                call_command("collectstatic", interactive=False, verbosity=0)
        self.announce(listener.getsockname()[1])
        # Replace this process with the server, which takes over the port and the lock.
        os.set_inheritable(listener.fileno(), True)
        locks.hand_over()
        os.execv(
            sys.executable,
            [
                *(
                    sys.executable,
                    "-m",
                    f"numgames_site.servers.{server}",
                    *ADDRESSES[server][settings.PROXY],
                ),
                *(*SERVERS[server], str(listener.fileno())),
                "numgames_site.asgi:application",
            ],
        )

    def announce(self, port: int) -> None:
        self.stdout.write(f"Numgames is on this machine at  http://localhost:{port}/")
        if settings.LAN_ADDRESS:
            address = f"http://{settings.LAN_ADDRESS}:{port}/"
            self.stdout.write(f"and on your local network at    {address}")
            if self.stdout.isatty():
                segno.make(address).terminal(compact=True)
        self.stdout.write("Stop it with Ctrl-C.")
        self.stdout.flush()


def installed(server: str) -> str:
    """Return the server's name, or fail if we don't know it or it isn't installed."""
    if server not in SERVERS:
        raise CommandError(f"The server must be one of {', '.join(SERVERS)}, not {server}.")
    if server == "uvicorn" and not all(find_spec(package) for package in UVICORN_PACKAGES):
        raise CommandError(
            "uvicorn, or something it needs, is not installed. To install it: "
            f"{sys.executable} -m pip install -r requirements-uvicorn.txt"
        )
    return server


def check_settings() -> None:
    """Fail if the site would not be safe with these settings or can't store anything."""
    for problem in (settings.SECRET_KEY_PROBLEM, settings.PUSH_KEY_PROBLEM):
        if problem:
            raise CommandError(problem)
    if settings.HTTPS and not settings.HOSTS:
        raise CommandError(
            "NUMGAMES_HTTPS=1 needs NUMGAMES_HOSTS: the site's name, as in https://play.example/"
        )
    try:
        keep_private()
    except OSError as error:
        raise CommandError(f"Numgames can't use {error.filename}: {error.strerror}.") from None


def keep_private() -> None:
    """Make sure that others can't read the keys or the database, even if they could before."""
    for key in ("secret_key", "push_key"):
        permissions.tighten(settings.DATA_DIR / key)
    if connection.vendor == "sqlite":
        database = str(connection.settings_dict["NAME"])
        # SQLite gives the files beside the database the same mode.
        permissions.make_private(Path(database))
        for beside in ("-wal", "-shm"):
            permissions.tighten(Path(database + beside))


def listen(host: str, port: str) -> socket.socket:
    """Bind the port now, so that nothing else can take it before the server starts."""
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise CommandError(f"The port must be a number from 0 to 65535, not {port}.")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit this. uvicorn doesn't set it on a socket it is given, and without it a
    # second message would wait until the client has acknowledged the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host, int(port)))
        # People who come early wait until the server is up. A proxy should ask another process
        # instead, so behind one we refuse connections until then.
        if not settings.PROXY:
            listener.listen(descriptors.backlog())
    except PermissionError:
        raise CommandError(
            f"Port {port} needs an administrator. Choose one above 1023: PORT=9000 make run"
        ) from None
    except OSError:
        raise CommandError(
            f"Port {port} is taken by another program. Choose another one: PORT=9000 make run"
        ) from None
    return listener
