"""A guest's profile: the name they chose, and what they have played."""

from typing import Any

from django.db import transaction

from games.guests.record import record_of
from games.matches import services
from games.matches.names import clean_name
from games.models import Guest


def change_name(*, guest: Guest, name: str) -> Guest:
    """Give a guest the name they chose; an empty one means the generated name again."""
    chosen = clean_name(name) if name else ""
    with transaction.atomic():
        return services.store(guest, chosen)


def profile_of(guest: Guest) -> dict[str, Any]:
    """Return what a guest is told about themselves."""
    return {"name": guest.shown_name, "generated": guest.name, "record": record_of(guest.pk)}
