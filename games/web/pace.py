"""What a match's page says about its pace: when a win may be claimed, before it happens."""

from django.conf import settings

from games.live.presence import duration
from games.matches.loaded_match import LoadedMatch
from games.models import Match
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

NO_HURRY = Template(
    _(
        "No hurry: take days if you like. If somebody doesn't move for {time}, the other player "
        "may claim the win."
    )
)
NOW = Template(
    _(
        "Play now: once you've both opened the match, if somebody leaves for {time} on their turn, "
        "the other player may claim the win."
    )
)
NOW_LISTED = Template(
    _(
        "Play now: once you've both opened the match, if somebody leaves for {time} on their turn "
        "or doesn't move for {idle}, the other player may claim the win."
    )
)


def pace_of(loaded: LoadedMatch) -> str:
    """Return the pace of a match in which wins can be claimed; empty for all others."""
    row = loaded.row
    return "" if row.same_device or loaded.has_computer else str(row.pace)


def about_pace(pace: str, listed: bool) -> Sentence | None:
    """Return what players should know about when they may claim the win, or lose it."""
    limits = settings.CLAIM_AFTER
    if not pace:
        return None
    if pace == Match.Pace.NO_HURRY:
        return NO_HURRY(time=duration(limits["no-hurry"]))
    if listed:
        return NOW_LISTED(time=duration(limits["listed"]), idle=duration(limits["idle"]))
    return NOW(time=duration(limits["link"]))
