"""Who is there: heartbeats, never connections that may be dead, and when a win may be claimed.

Every message from a player's socket counts as a heartbeat. Processes tell each other how long ago
they heard from whom, and how many watch; that lives for a few seconds, so a crash leaves nothing
behind.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.conf import settings

from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal
from games.rules import Seat, other
from games.sentences import Template
from games.sentences import gettext_noop as _

YOUR_TURN = Template(_("It's your turn: the other player is waiting for you."))
STILL_HERE = Template(_("The other player is here. Give them time to move."))
UNKNOWN = Template(_("We can't tell who is here right now. Try again shortly."))
TOO_EARLY = Template(_("You can claim the win in {seconds} seconds."))

# Nobody has heard from a player for this long: the others are told.
AWAY_AFTER = 5.0
# What another process said about its spectators is forgotten after this long.
TOLD_FOR = 6.0


class Told(NamedTuple):
    """How many spectators another process has, by match, and when it said so."""

    at: float
    spectators: Mapping[str, int]


@dataclass
class Presence:
    """When each seat of one match was last heard from, by this process and by others."""

    since: float
    heard: dict[Seat, float] = field(default_factory=dict)
    # Not to be told on: what comes back from others would grow younger with every round.
    heard_elsewhere: dict[Seat, float] = field(default_factory=dict)

    def last_heard(self, seat: Seat) -> float:
        """Somebody never heard of counts as heard when we began to listen."""
        return max(self.since, self.heard.get(seat, 0.0), self.heard_elsewhere.get(seat, 0.0))

    def is_away(self, seat: Seat, now: float) -> bool:
        return now - self.last_heard(seat) >= AWAY_AFTER


def claimable_at(loaded: LoadedMatch, presence: Presence, now: float) -> float | None:
    """When the player who waits may claim the win; None while nothing speaks for it.

    Only the time in which it is the other's turn counts.
    """
    if not loaded.is_live or loaded.row.same_device:
        return None
    absent = loaded.state.turn
    if loaded.is_computer(absent):
        return None
    limits = settings.CLAIM_AFTER
    if presence.is_away(absent, now):
        limit = limits["listed"] if loaded.row.listed else limits["link"]
        return max(presence.last_heard(absent), loaded.turn_began) + float(limit)
    if loaded.row.listed:
        return loaded.turn_began + float(limits["idle"])
    return None


def check_claim(
    loaded: LoadedMatch, presence: Presence, seat: Seat, known: bool, now: float
) -> None:
    """Raise a `Refusal` if this seat may not claim the win yet."""
    if loaded.state.turn == seat and loaded.outcome is None:
        raise Refusal("your_turn", YOUR_TURN())
    at = claimable_at(loaded, presence, now)
    if at is None:
        raise Refusal("still_here", STILL_HERE())
    if not known:
        raise Refusal("presence_unknown", UNKNOWN())
    if now < at:
        raise Refusal("too_early", TOO_EARLY(seconds=int(at - now) + 1))


def message(
    loaded: LoadedMatch, presence: Presence, spectators: int, known: bool, now: float
) -> dict[str, Any]:
    """The protocol's `presence`; its claim says when, the hub makes seconds of it."""
    players = {}
    for seat in (1, 2):
        sits = loaded.row.seat_1_id if seat == 1 else loaded.row.seat_2_id
        away = presence.is_away(seat, now) and not loaded.is_computer(seat)
        players[str(seat)] = None if sits is None else "away" if away else "here"
    at = claimable_at(loaded, presence, now) if known else None
    claim = None
    if at is not None and (players[str(loaded.state.turn)] == "away" or now >= at):
        claim = {"seat": other(loaded.state.turn), "at": at}
    return {"type": "presence", "players": players, "spectators": spectators, "claim": claim}


def steady_until(
    loaded: LoadedMatch, presence: Presence, message: Mapping[str, Any], now: float
) -> float:
    """Until when such a message stays true, unless somebody comes or goes; moves do not matter.

    They do once somebody is away or may claim: then it is never for long.
    """
    players = message["players"]
    here = [seat for seat in (1, 2) if players[str(seat)] and not loaded.is_computer(seat)]
    if not here or message["claim"] or "away" in players.values():
        return now
    changes = [presence.last_heard(seat) + AWAY_AFTER for seat in here]
    if (at := claimable_at(loaded, presence, now)) is not None:
        changes.append(at)
    return min(changes)
