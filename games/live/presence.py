"""Presence: who is connected, and when a player may claim the win.

Presence relies on heartbeats, because a connection may be dead. Every message from a player's
socket counts as one. Processes tell each other when they last heard from each player, and how many
spectators they have. This expires after a few seconds, so a crash leaves nothing behind.

All times here are monotonic, because a wall clock may jump.
"""

import time
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

# A player is shown as away if we haven't heard from them for this long.
AWAY_AFTER = 5.0
# Another process's count of spectators expires after this long.
TOLD_FOR = 6.0


class Told(NamedTuple):
    """How many spectators another process has, by match, and when it said so."""

    at: float
    spectators: Mapping[str, int]


class Others:
    """How many spectators the other processes have."""

    def __init__(self) -> None:
        self._told: dict[str, Told] = {}

    def take(self, who: str, spectators: Mapping[str, int], now: float) -> set[str]:
        """Store one process's counts; return the matches whose number has changed."""
        before = self._told.get(who)
        told = {each: said for each, said in self._told.items() if now - said.at < TOLD_FOR}
        told[who] = Told(now, spectators)
        self._told = told
        was = before.spectators if before else {}
        if was == spectators:
            return set()
        return {
            match_id
            for match_id in was.keys() | spectators.keys()
            if was.get(match_id) != spectators.get(match_id)
        }

    def spectators_of(self, match_id: str) -> int:
        """Count a match's spectators elsewhere. Safe in any thread."""
        since = time.monotonic() - TOLD_FOR
        return sum(
            told.spectators.get(match_id, 0)
            for told in tuple(self._told.values())
            if told.at > since
        )


@dataclass(slots=True)
class Presence:
    """When each seat of one match was last heard from, by this process and by others."""

    since: float
    heard: dict[Seat, float] = field(default_factory=dict)
    # The network from which this process last heard each seat.
    networks: dict[Seat, str] = field(default_factory=dict)
    # Never passed on, because its age would shrink with every round between the processes.
    heard_elsewhere: dict[Seat, float] = field(default_factory=dict)

    def last_heard(self, seat: Seat) -> float:
        """Return when we last heard from a player; if never, when we began to listen."""
        return max(self.since, self.heard.get(seat, 0.0), self.heard_elsewhere.get(seat, 0.0))

    def is_away(self, seat: Seat, now: float) -> bool:
        return now - self.last_heard(seat) >= AWAY_AFTER


def claimable_at(loaded: LoadedMatch, presence: Presence, now: float) -> float | None:
    """Return when the player who is waiting may claim the win, or None if they may not.

    Only time during the other player's turn counts.
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
    """Build the protocol's `presence` message. The hub turns the time of the claim into seconds."""
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
    """Return how long this message stays true, as a time, unless somebody comes or goes.

    Moves matter only if somebody is away or may claim the win. In that case the answer is now.
    """
    players = message["players"]
    here = [seat for seat in (1, 2) if players[str(seat)] and not loaded.is_computer(seat)]
    if not here or message["claim"] or "away" in players.values():
        return now
    changes = [presence.last_heard(seat) + AWAY_AFTER for seat in here]
    if (at := claimable_at(loaded, presence, now)) is not None:
        changes.append(at)
    return min(changes)
