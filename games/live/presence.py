"""Presence: who is connected, and when a player may claim the win.

Presence relies on heartbeats, because a connection may be dead. Every message from a player's
socket counts as one. Processes tell each other when they last heard from each player, and how many
spectators they have. This expires after a few seconds, so a crash leaves nothing behind.

All times here are monotonic, because a wall clock may jump. Only a match without hurry counts days,
which no process has to live through: it relies on stored times as well.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.conf import settings

from games.matches.loaded_match import LoadedMatch, from_wall
from games.models import Match
from games.refusals import Refusal
from games.rules import Seat, other
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

YOUR_TURN = Template(_("It's your turn: the other player is waiting for you."))
STILL_HERE = Template(_("The other player is here. Give them time to move."))
UNKNOWN = Template(_("We can't tell who is here right now. Try again shortly."))
NOT_SEEN = Template(
    _("The other player hasn't opened the match since it began. You can't claim the win from them.")
)
TOO_EARLY = Template(_("You can claim the win in {time}."))
SECONDS = Template(_("{count} seconds"))
MINUTES = Template(_("{count} minutes"))
HOURS = Template(_("{count} hours"))
DAYS = Template(_("{count} days"))

# A player is shown as away if we haven't heard from them for this long.
AWAY_AFTER = 5.0
# The clocks of two machines may differ by this much: what another one heard at about the time when
# a match began may have been before.
CLOCKS_DIFFER = 5.0
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
    # Whoever was heard from since then has been on the match's page while it was played.
    began: float | None = None
    # The seats heard from before the match was loaded again.
    seen: frozenset[Seat] = frozenset()

    def note_start(self, loaded: LoadedMatch, was_here: bool) -> None:
        """Note since when a match is being played; `was_here` if this process had it open before.

        What this process hears after loading a match that is being played counts. What others have
        heard counts if it was after the stored time of its start.
        """
        if self.began is not None or loaded.row.status != Match.Status.LIVE:
            return
        self.began = time.monotonic()
        if not was_here and loaded.row.started is not None:
            stored = from_wall(loaded.row.started.timestamp()) + CLOCKS_DIFFER
            self.began = min(self.began, stored)

    def has_seen(self, seat: Seat) -> bool:
        """Return whether we know that a player has been on the match's page since it began."""
        if seat in self.seen:
            return True
        if self.began is None:
            return False
        return any(
            seat in heard and heard[seat] >= self.began
            for heard in (self.heard, self.heard_elsewhere)
        )

    def last_heard(self, seat: Seat) -> float:
        """Return when we last heard from a player; if never, when we began to listen."""
        return max(self.since, self.heard.get(seat, 0.0), self.heard_elsewhere.get(seat, 0.0))

    def is_away(self, seat: Seat, now: float) -> bool:
        return now - self.last_heard(seat) >= AWAY_AFTER


def claimable_at(loaded: LoadedMatch, presence: Presence, now: float) -> float | None:
    """Return when the player who is waiting may claim the win, or None if they may not.

    Only time during the other player's turn counts.
    """
    if not can_be_claimed(loaded):
        return None
    absent, limits = loaded.state.turn, settings.CLAIM_AFTER
    is_away = presence.is_away(absent, now)
    if loaded.row.pace == Match.Pace.NO_HURRY:
        if not is_away:
            return None
        # Somebody who has just left the page is not claimed from at once, nor does a process that
        # has just started trust the wall clock alone.
        return max(
            loaded.turn_began_as_stored + limits["no-hurry"],
            presence.last_heard(absent) + limits["link"],
        )
    if is_unseen(loaded, presence, absent):
        return None
    if is_away:
        limit = limits["listed"] if loaded.row.listed else limits["link"]
        return max(presence.last_heard(absent), loaded.turn_began) + limit
    return loaded.turn_began + limits["idle"] if loaded.row.listed else None


def can_be_claimed(loaded: LoadedMatch) -> bool:
    """Return whether it is the turn of a person, who could lose because they don't move."""
    return loaded.is_live and is_person(loaded, loaded.state.turn)


def is_person(loaded: LoadedMatch, seat: Seat) -> bool:
    """Return whether somebody on a device of their own plays in this seat."""
    return not loaded.row.same_device and not loaded.is_computer(seat)


def is_unseen(loaded: LoadedMatch, presence: Presence, seat: Seat) -> bool:
    """Return whether a player hasn't been on the match's page since it began."""
    return not presence.has_seen(seat) and not loaded.has_moved(seat)


def check_claim(
    loaded: LoadedMatch, presence: Presence, seat: Seat, known: bool, now: float
) -> None:
    """Raise a `Refusal` if this seat may not claim the win yet."""
    absent = loaded.state.turn
    if absent == seat and loaded.outcome is None:
        raise Refusal("your_turn", YOUR_TURN())
    at = claimable_at(loaded, presence, now)
    if at is None and not (can_be_claimed(loaded) and presence.is_away(absent, now)):
        raise Refusal("still_here", STILL_HERE())
    if not known:
        raise Refusal("presence_unknown", UNKNOWN())
    if at is None:
        raise Refusal("not_seen", NOT_SEEN())
    if now < at:
        raise Refusal("too_early", TOO_EARLY(time=duration(at - now)))


def duration(seconds: float) -> Sentence:
    """Return a length of time in the largest unit of which it has at least two, rounded up."""
    for unit, size in ((DAYS, 24 * 60 * 60), (HOURS, 60 * 60), (MINUTES, 60)):
        if seconds >= 2 * size:
            return unit(count=math.ceil(seconds / size))
    return SECONDS(count=math.ceil(seconds))


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
    unseen = [
        seat
        for seat in (1, 2)
        if players[str(seat)] == "away" and is_person(loaded, seat)
        if is_unseen(loaded, presence, seat)
    ]
    return {
        "type": "presence",
        "players": players,
        "unseen": unseen if known and loaded.is_live else [],
        "spectators": spectators,
        "claim": claim,
    }


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
