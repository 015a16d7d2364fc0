"""`manage.py serve`: make what is missing, say where the site is, and serve it."""

import os
import socket
import sys
from argparse import ArgumentParser
from importlib.util import find_spec
from typing import Any

import psycopg
import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from numgames_site.servers import locks

# daphne's limit holds for both directions, so it must let the longest snapshot out. The consumer
# refuses what is longer than a client's message may be.
LONGEST_MESSAGE = str(256 * 1024)

# What takes over this process, and where uvicorn's websockets are extended.
MODULES = {"daphne": "numgames_site.daphne_frames", "uvicorn": "numgames_site.uvicorn_frames"}
WEBSOCKETS = "numgames_site.uvicorn_frames:FramesProtocol"

# Each takes the socket that it is to serve on after the last of these.
SERVERS = {
    "daphne": [
        *("--verbosity", "0", "--application-close-timeout", "2"),
        *("--ping-interval", "10", "--ping-timeout", "10"),
        *("--websocket-max-message-size", LONGEST_MESSAGE),
        *("--websocket-max-frame-size", LONGEST_MESSAGE),
        "--fd",
    ],
    "uvicorn": [
        *("--loop", "uvloop", "--http", "httptools", "--ws", WEBSOCKETS),
        *("--lifespan", "off", "--log-level", "warning", "--no-access-log"),
        *("--no-server-header", "--timeout-graceful-shutdown", "2"),
        *("--ws-ping-interval", "10", "--ws-ping-timeout", "10"),
        *("--ws-max-size", LONGEST_MESSAGE, "--ws-per-message-deflate", "false"),
        "--fd",
    ],
}
# Whose address it is, for the limits: the connection's, unless a proxy in front tells it.
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
        listener = listen(options["host"], options["port"])
        try:
            locks.serve_alone_or_together()
        except locks.NotAlone as refusal:
            raise CommandError(str(refusal)) from None
        except psycopg.OperationalError as error:
            raise CommandError(
                f"The database does not answer. Check DATABASE_URL. {error}"
            ) from None
        with locks.preparing():
            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
        self.announce(listener.getsockname()[1])
        # Give this process to the server, with the port and the lock it already holds.
        os.set_inheritable(listener.fileno(), True)
        locks.hand_over()
        os.execv(
            sys.executable,
            [
                *(sys.executable, "-m", MODULES[server], *ADDRESSES[server][settings.PROXY]),
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
    """The server's name, if it is one of ours and all of it is there."""
    if server not in SERVERS:
        raise CommandError(f"The server must be one of {', '.join(SERVERS)}, not {server}.")
    if server == "uvicorn" and not all(find_spec(package) for package in UVICORN_PACKAGES):
        raise CommandError(
            "uvicorn is not installed, or not all that it needs. This installs it: "
            f"{sys.executable} -m pip install -r requirements-uvicorn.txt"
        )
    return server


def listen(host: str, port: str) -> socket.socket:
    """A socket that holds the port, so that nobody can take it before the server has it."""
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise CommandError(f"The port must be a number from 0 to 65535, not {port}.")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it. uvicorn does not set it on a socket that it is given, and a second
    # message would wait until the first one is confirmed.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((host, int(port)))
        listener.listen(1024)
    except PermissionError:
        raise CommandError(
            f"Port {port} needs an administrator. Choose one above 1023: PORT=9000 make run"
        ) from None
    except OSError:
        raise CommandError(
            f"Port {port} is taken by another program. Choose another one: PORT=9000 make run"
        ) from None
    return listener
