"""`manage.py serve`: make what is missing, say where the site is, and serve it with daphne."""

import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

# daphne's limit holds for both directions, so it must let the longest snapshot out. The consumer
# refuses what is longer than a client's message may be.
LONGEST_MESSAGE = str(256 * 1024)


class Command(BaseCommand):
    help = "Prepare the database and the static files, then serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0")
        parser.add_argument("--port", default=os.environ.get("PORT", "8000"))

    def handle(self, *args: Any, **options: Any) -> None:
        listener = listen(options["host"], options["port"])
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        self.announce(listener.getsockname()[1])
        # Give this process to the server, with the port it already holds.
        os.set_inheritable(listener.fileno(), True)
        os.execv(
            sys.executable,
            [
                *(sys.executable, "-m", "daphne", "--fd", str(listener.fileno())),
                *("--verbosity", "0", "--application-close-timeout", "2"),
                *("--ping-interval", "10", "--ping-timeout", "10"),
                *("--websocket-max-message-size", LONGEST_MESSAGE),
                *("--websocket-max-frame-size", LONGEST_MESSAGE),
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


def listen(host: str, port: str) -> socket.socket:
    """A socket that holds the port, so that nobody can take it before the server has it."""
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise CommandError(f"The port must be a number from 0 to 65535, not {port}.")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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
