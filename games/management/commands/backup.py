"""`manage.py backup FILE`: copy the SQLite database while the site is running."""

import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection


class Command(BaseCommand):
    help = "Copy the SQLite database to a new file; for PostgreSQL use pg_dump."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError('This copies SQLite only. For PostgreSQL: pg_dump "$DATABASE_URL"')
        try:
            # Made here, because SQLite would let others read it.
            file.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            raise CommandError(f"{file} already exists. Choose another name.") from None
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from None
        try:
            self.copy(file)
        except CommandError:
            # Nobody should take it for a backup.
            file.unlink()
            raise
        self.stdout.write(f"Saved the database to {file}, {file.stat().st_size:,} bytes.")

    def copy(self, file: Path) -> None:
        try:
            with (
                closing(sqlite3.connect(connection.settings_dict["NAME"])) as source,
                closing(sqlite3.connect(file)) as target,
            ):
                source.backup(target)
                (found,) = target.execute("PRAGMA integrity_check").fetchone()
        except sqlite3.Error as error:
            raise CommandError(f"The backup failed: {error}.") from error
        if found != "ok":
            raise CommandError(f"The backup is damaged: {found}")
