"""Agree on rematches, which continue a series with the seats swapped, perhaps in another game."""

from random import SystemRandom

from django.db import transaction

from games.matches import limits
from games.matches.lookups import NoSuchMatch
from games.matches.services import bad_setting, start
from games.models import Guest, Match
from games.refusals import Refusal
from games.rules import GAMES, Seat, other
from games.sentences import Template
from games.sentences import gettext_noop as _

NO_OPPONENT = Template(_("The other player has left the site for good. Start a new match."))
REMATCH_TOO_EARLY = Template(_("You can offer a rematch when the match is over."))


def offer_rematch(
    *, match_id: str, seat: Seat, network: str, game: str = "", withdraw: bool = False
) -> Match:
    """Offer a rematch, accept the other player's offer, or withdraw one's own; return the match.

    `game` offers another game. Whoever names one while another game is offered to them makes an
    offer of their own. The next match counts as created by this player in this network.
    """
    if game and game not in GAMES:
        raise bad_setting("unknown_game", f"The game must be one of {', '.join(GAMES)}.")
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(pk=match_id).first()
        if row is None:
            raise NoSuchMatch
        if row.status != Match.Status.FINISHED:
            raise Refusal("not_finished", REMATCH_TOO_EARLY(), 409)
        if row.rematch_id is not None:
            return row
        if withdraw:
            if row.rematch_offer == seat:
                row.rematch_offer, row.rematch_game = 0, ""
                row.save(update_fields=["rematch_offer", "rematch_game"])
            return row
        other_game = "" if game == row.game else game
        is_agreed = row.rematch_offer == other(seat) and game in ("", row.rematch_game or row.game)
        if not is_agreed:
            row.rematch_offer, row.rematch_game = seat, other_game
        # A guest who was merged with their own opponent has both seats.
        is_alone = row.same_device or row.seat_1_id == row.seat_2_id
        if is_agreed or is_alone or _guest_of(row, other(seat)).level:
            limits.require_new_match(_guest_of(row, seat).pk, network)
            row.rematch = _next_match(row)
        row.save(update_fields=["rematch", "rematch_offer", "rematch_game"])
        return row


def _guest_of(row: Match, seat: Seat) -> Guest:
    guest = row.seat_1 if seat == 1 else row.seat_2
    if guest is None:
        raise Refusal("no_opponent", NO_OPPONENT(), 409)
    return guest


def _next_match(row: Match) -> Match:
    """Create the next match of the series: the game that was agreed on, seats swapped."""
    game, options = row.game, row.options
    if row.rematch_game:
        # Sizes differ from game to game.
        game, options = row.rematch_game, {}
    state = GAMES[game].setup(SystemRandom(), **options)
    match = Match(
        game=game,
        options=options,
        setup=GAMES[game].to_json(state),
        listed=row.listed,
        same_device=row.same_device,
        seat_1_id=row.seat_2_id,
        seat_2_id=row.seat_1_id,
        pace=row.pace,
        series=row.series,
        number=row.number + 1,
    )
    start(match)
    match.save(force_insert=True)
    return match
