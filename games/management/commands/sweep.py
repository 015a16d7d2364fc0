"""`manage.py sweep`: give old data its end. Safe at any time, also while the site is served."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.matches import services


class Command(BaseCommand):
    help = "Expire old invitations, close abandoned matches, remove guests who never played."

    def handle(self, *args: Any, **options: Any) -> None:
        for what, count in services.sweep(timezone.now()).items():
            self.stdout.write(f"{count} {what}")
