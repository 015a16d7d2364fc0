"""`make messages`: update the translations from the sources, and the files made from them.

Missing translations are left empty in `locale/`, and a test lists them. Needs GNU gettext.
"""

from argparse import ArgumentParser
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.test import override_settings

from games.words.dictionaries import FOLDER, dictionaries

# Nothing here is shown on a page; static/js/languages is itself written by this command.
WITHOUT_TEXTS = "node_modules .venv var tests bench deploy docs static/js/languages".split()
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


class Command(BaseCommand):
    help = "Update the translations from the sources, compile them, and write the scripts' words."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail if something would change"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        if check:
            self.check_catalogues()
            return
        update_catalogues()
        call_command("compilemessages", locale=LANGUAGES, verbosity=0)
        for language in LANGUAGES:
            for name, script in dictionaries(language).items():
                (FOLDER / name).write_text(script)

    def check_catalogues(self) -> None:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "locale"
            copytree(settings.LOCALE_PATHS[0], copy)
            with override_settings(LOCALE_PATHS=[copy]):
                update_catalogues()
            outdated = [
                path.name
                for path in copy.rglob("*.po")
                if texts(path) != texts(settings.LOCALE_PATHS[0] / path.relative_to(copy))
            ]
        if outdated:
            raise CommandError(f"{', '.join(outdated)}: run `make messages`, then translate.")


def update_catalogues() -> None:
    for domain in ("django", "djangojs"):
        call_command(
            "makemessages",
            locale=LANGUAGES,
            domain=domain,
            ignore_patterns=[*WITHOUT_TEXTS, "service-worker.js"],
            no_obsolete=True,
            add_location="file",
            verbosity=0,
        )


def texts(path: Path) -> list[str]:
    """Return a catalogue without the parts that change every time: dates and line numbers."""
    lines = path.read_text().splitlines()
    return [line for line in lines if not line.startswith(("#:", '"POT-', '"PO-'))]
