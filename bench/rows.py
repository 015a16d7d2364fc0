"""Measures how many bytes a match, a guest and an action take in SQLite.

.venv/bin/python -m bench.rows
"""

import os
import secrets
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

import django

MATCHES = 20_000
ACTIONS = 10
# As many bytes as a name can have.
LONGEST_NAME = "\N{SLIGHTLY SMILING FACE}" * 20


def main() -> None:
    with TemporaryDirectory() as folder:
        os.environ |= {
            "NUMGAMES_DATA": folder,
            "DATABASE_URL": f"sqlite:///{folder}/numgames.sqlite3",
            "DJANGO_SETTINGS_MODULE": "numgames_site.settings",
        }
        django.setup()
        measure()


def measure() -> None:
    from django.core.management import call_command
    from django.db import connection, transaction

    from games.matches import services
    from games.matches.action_log import Writing, write_actions
    from games.matches.selectors import StoredAction

    def size() -> int:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            return int(cursor.fetchone()[0])

    def report(what: str, count: int, write: Callable[[], Any]) -> Any:
        before = size()
        with transaction.atomic():
            written = write()
        print(f"{what}: {(size() - before) / count:.0f} bytes")
        return written

    def create(guest: Any = None, **settings: Any) -> list[Any]:
        return [
            services.create_match(guest=guest or services.new_guest(), **settings)[0]
            for _ in range(MATCHES)
        ]

    def act(first: int, length: int) -> None:
        for version in range(first, first + ACTIONS):
            for match in matches:
                client_id = secrets.token_hex(length)[:length]
                action = StoredAction(version, 1, 6, None, client_id, time.time())
                write_actions([Writing(match.serial, [action], None)])

    call_command("migrate", verbosity=0)
    one, usual = services.new_guest(), {"game": "number-tower-duel", "same_device": True}
    largest = {"game": "chain-factor", "options": {"pool": 100, "opening": "even"}}
    matches = report("a match", MATCHES, lambda: create(one, **usual))
    report("a match and its guest", MATCHES, lambda: create(**usual))
    report("the largest match", MATCHES, lambda: create(one, **largest, name=LONGEST_NAME))
    report("a move from our page", MATCHES * ACTIONS, lambda: act(1, 10))
    report("a move with the longest id", MATCHES * ACTIONS, lambda: act(1 + ACTIONS, 64))
    connection.close()


if __name__ == "__main__":
    main()
