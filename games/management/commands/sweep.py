"""`manage.py sweep`: delete expired data. Safe at any time, even while the site is running."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.guests import sweeping
from games.matches import cleanup


class Command(BaseCommand):
    help = "Close old invitations and abandoned matches; delete what nobody used."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        for what, count in cleanup.sweep(now).items():
            self.stdout.write(f"{count} {what}")
        for _ in sweeping.steps(now):
            pass
