"""Who is there: heartbeats, never connections that may be dead, and when a win may be claimed.

Every message from a player's socket counts as a heartbeat. Processes tell each other how long ago
they heard from whom; what a process told lives for a few seconds, so a crash leaves nothing behind.
"""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from games.live.held import HeldMatch, Rejected
from games.models import Match
from games.rules import Seat, other

# Nobody has heard from a player for this long: the others are told.
AWAY_AFTER = 5.0
# What another process said about its sockets is forgotten after this long.
TOLD_FOR = 6.0


@dataclass
class Told:
    """What one other process says about a match."""

    at: float
    heard: dict[Seat, float]
    spectators: int


@dataclass
class Presence:
    """When each seat of one match was last heard from, here and elsewhere."""

    since: float
    heard: dict[Seat, float] = field(default_factory=dict)
    told: dict[str, Told] = field(default_factory=dict)

    def last_heard(self, seat: Seat) -> float:
        """Somebody never heard of counts as heard when we began to listen."""
        last = max(self.since, self.heard.get(seat, 0.0))
        for told in self.told.values():
            last = max(last, told.heard.get(seat, 0.0))
        return last

    def is_away(self, seat: Seat, now: float) -> bool:
        return now - self.last_heard(seat) >= AWAY_AFTER

    def spectators_elsewhere(self, now: float) -> int:
        if self.told:
            self.told = {who: told for who, told in self.told.items() if now - told.at < TOLD_FOR}
        return sum(told.spectators for told in self.told.values())


def claimable_at(held: HeldMatch, presence: Presence, now: float) -> float | None:
    """When the player who waits may claim the win; None while nothing speaks for it.

    Only the time in which it is the other's turn counts.
    """
    if held.outcome is not None or held.row.status != Match.Status.LIVE or held.row.same_device:
        return None
    absent = held.state.turn
    limits = settings.CLAIM_AFTER
    if presence.is_away(absent, now):
        limit = limits["listed"] if held.row.listed else limits["link"]
        return max(presence.last_heard(absent), held.turn_began) + float(limit)
    if held.row.listed:
        return held.turn_began + float(limits["idle"])
    return None


def check_claim(held: HeldMatch, presence: Presence, seat: Seat, known: bool, now: float) -> None:
    """Refuse a claim that is not due."""
    if held.state.turn == seat and held.outcome is None:
        raise Rejected("your_turn", "It is your own turn: the other player is waiting for you.")
    at = claimable_at(held, presence, now)
    if at is None:
        raise Rejected("still_here", "The other player is here. Give them time to move.")
    if not known:
        raise Rejected("presence_unknown", "Nobody can tell now who is here. Try again shortly.")
    if now < at:
        seconds = int(at - now) + 1
        raise Rejected("too_early", f"You can claim the win in {seconds} seconds.")


def message(
    held: HeldMatch, presence: Presence, spectators: int, known: bool, now: float
) -> dict[str, Any]:
    """The protocol's `presence`; its claim says when, the hub makes seconds of it."""
    players = {}
    for seat in (1, 2):
        sits = held.row.seat_1_id if seat == 1 else held.row.seat_2_id
        away = presence.is_away(seat, now)
        players[str(seat)] = None if sits is None else "away" if away else "here"
    at = claimable_at(held, presence, now) if known else None
    claim = None
    if at is not None and (players[str(held.state.turn)] == "away" or now >= at):
        claim = {"seat": other(held.state.turn), "at": at}
    return {"type": "presence", "players": players, "spectators": spectators, "claim": claim}
