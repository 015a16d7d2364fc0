"""Whether this process can do its work: store a file, write to the database, reach Redis.

Strangers may ask as often as they like: there is one check at a time, and its result is kept for a
second. A part that hangs is not asked again before it has answered.
"""

import asyncio
import logging
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from redis.exceptions import RedisError

from games.live.hub import Hub
from games.matches import database

logger = logging.getLogger(__name__)

KEPT_FOR = 1.0
# A part that takes longer than this to answer counts as away.
LONGEST_WAIT = 2.0
FAILURES = (*database.AWAY, DatabaseError, RedisError, OSError)
# As much as a disk hands out at once.
A_BLOCK = b"\0" * 4096

Ask = Callable[[], Awaitable[None]]


class Readiness:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._failed: list[str] = []
        self._checked = -KEPT_FOR
        self._checking: asyncio.Task[None] | None = None
        self._asked: dict[str, asyncio.Task[str]] = {}

    async def failed_parts(self) -> list[str]:
        """Return the names of the parts that don't work, as of at most a second ago."""
        if time.monotonic() - self._checked >= KEPT_FOR:
            if self._checking is None:
                self._checking = asyncio.get_running_loop().create_task(self._check())
            # Others may wait for the same check, so it goes on if this caller leaves.
            await asyncio.shield(self._checking)
        return self._failed

    def parts(self) -> dict[str, Ask]:
        parts: dict[str, Ask] = {
            "data folder": lambda: asyncio.to_thread(write_file, settings.DATA_DIR),
            "database": lambda: database.write(write_row),
        }
        if connection.vendor == "sqlite" and database_folder() != settings.DATA_DIR:
            # On a full disk, SQLite can still write for a while where it has written before.
            parts["database folder"] = lambda: asyncio.to_thread(write_file, database_folder())
        if self.hub.relay is not None:
            parts["redis"] = self.hub.relay.ping
        return parts

    async def _check(self) -> None:
        try:
            parts = self.parts()
            answers = await asyncio.gather(*map(self._problem_of, parts, parts.values()))
            problems = {name: found for name, found in zip(parts, answers, strict=True) if found}
            if problems and list(problems) != self._failed:
                reasons = ", ".join(f"{name} ({found})" for name, found in problems.items())
                logger.warning("Not ready: %s", reasons)
            self._failed, self._checked = list(problems), time.monotonic()
        finally:
            self._checking = None

    async def _problem_of(self, name: str, ask: Ask) -> str:
        """Return what is wrong with a part, or an empty string."""
        if name not in self._asked:
            self._asked[name] = asyncio.get_running_loop().create_task(answer_of(ask))
        done, _ = await asyncio.wait([self._asked[name]], timeout=LONGEST_WAIT)
        return self._asked.pop(name).result() if done else "no answer"


async def answer_of(ask: Ask) -> str:
    try:
        await ask()
    except FAILURES as error:
        return database.first_line(error) or "no answer"
    return ""


def write_file(folder: Path) -> None:
    # It has no name, so nothing is left behind even if this process is killed now.
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(A_BLOCK)
        os.fsync(file.fileno())


def database_folder() -> Path:
    return Path(connection.settings_dict["NAME"]).parent


def write_row() -> None:
    """Write a row as it is. The database stores it again, in a place of its own."""
    if connection.vendor == "sqlite":
        # SQLite wouldn't notice: it keeps writing into a file that was deleted.
        Path(connection.settings_dict["NAME"]).stat()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE django_migrations SET name = name "
            "WHERE id = (SELECT min(id) FROM django_migrations)"
        )
