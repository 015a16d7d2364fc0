"""Notes who was told what by web push, so that nobody is told the same thing twice."""

from django.db.models import Q

from games.models import Match
from games.rules import Seat


def claim(match_id: str, seat: Seat, version: int) -> bool:
    """Return whether this seat is still to be told of this version; nobody else tells it then."""
    name = f"told_{seat}"
    untold = Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__lte": version})
    rows = Match.objects.filter(untold, pk=match_id)
    return bool(rows.update(**{name: version + 1}))
