"""Agree on rematches, which continue a series with the seats swapped."""

from random import SystemRandom

from django.db import transaction

from games.matches import limits
from games.matches.lookups import NoSuchMatch
from games.matches.services import start
from games.models import Guest, Match
from games.refusals import Refusal
from games.rules import GAMES, Seat, other
from games.sentences import Template
from games.sentences import gettext_noop as _

REMATCH_TOO_EARLY = Template(_("You can offer a rematch when the match is over."))


def offer_rematch(*, match_id: str, seat: Seat, network: str) -> None:
    """Offer a rematch, or accept the other player's offer and start the next match.

    The next match counts as created by this player in this network.
    """
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(pk=match_id).first()
        if row is None:
            raise NoSuchMatch
        if row.status != Match.Status.FINISHED:
            raise Refusal("not_finished", REMATCH_TOO_EARLY(), 409)
        if row.rematch_id is not None:
            return
        agreed = row.rematch_offer == other(seat)
        if agreed or row.same_device or _guest_of(row, other(seat)).level:
            limits.require_new_match(_guest_of(row, seat).pk, network)
            row.rematch = _next_match(row)
        else:
            row.rematch_offer = seat
        row.save(update_fields=["rematch", "rematch_offer"])


def _guest_of(row: Match, seat: Seat) -> Guest:
    guest = row.seat_1 if seat == 1 else row.seat_2
    assert guest is not None
    return guest


def _next_match(row: Match) -> Match:
    """Create the next match of the series: same game, seats swapped."""
    state = GAMES[row.game].setup(SystemRandom(), **row.options)
    match = Match(
        game=row.game,
        options=row.options,
        setup=GAMES[row.game].to_json(state),
        listed=row.listed,
        same_device=row.same_device,
        seat_1_id=row.seat_2_id,
        seat_2_id=row.seat_1_id,
        name_1=row.name_2,
        name_2=row.name_1,
        series=row.series,
        number=row.number + 1,
    )
    start(match)
    match.save(force_insert=True)
    return match
