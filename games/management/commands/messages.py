"""`make messages`: brings the catalogues up to date with all texts, and makes of them what is used.

What has no translation yet is left empty in `locale/`, and a test names it. Needs GNU gettext.
"""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from games.words.phrases import SCRIPTS, browser_words

# Nothing of these is shown on a page; the words in static/ are themselves written here.
WITHOUT_TEXTS = "node_modules .venv var tests bench deploy docs static/js/languages".split()


class Command(BaseCommand):
    help = "Update the translations from the sources, compile them, and write the scripts' words."

    def handle(self, *args: Any, **options: Any) -> None:
        languages = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
        for domain in ("django", "djangojs"):
            call_command(
                "makemessages",
                locale=languages,
                domain=domain,
                ignore_patterns=[*WITHOUT_TEXTS, "service-worker.js"],
                no_obsolete=True,
                add_location="file",
                verbosity=0,
            )
        call_command("compilemessages", locale=languages, verbosity=0)
        for language in languages:
            for name, script in browser_words(language).items():
                (SCRIPTS / "languages" / name).write_text(script)
