"""The lobby: a feed of the listed matches, those waiting for an opponent and those being played.

It shows what this process and the others have open, not the newest rows of the database, which
anybody can fill.
"""

import asyncio
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from games.live import protocol
from games.live.events import Events
from games.live.feed import Feed
from games.live.hub import Hub
from games.live.listing import (
    MOST_LIVE,
    MOST_OPEN,
    MOST_OPEN_A_NETWORK,
    Listed,
    in_turns,
    listed,
    merged,
)
from games.live.live_match import LiveMatch
from games.live.presence import TOLD_FOR
from games.live.tasks import Tasks
from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.models import Guest, Match

LOOK_EVERY = 1.0
# How many matches of each kind a process tells the others about.
MOST_TOLD = 200
# Work on many matches is done in parts of this size, so that moves can go in between.
MATCHES_AT_ONCE = 200


class Told(NamedTuple):
    """The listed matches of another process, and when it said so."""

    at: float
    matches: list[Listed]


class Lists(msgspec.Struct):
    """Both lists of the lobby's message, encoded."""

    open: msgspec.Raw
    live: msgspec.Raw


EMPTY = Lists(msgspec.Raw(b"[]"), msgspec.Raw(b"[]"))


class Lobby:
    def __init__(self, hub: Hub, tasks: Tasks, events: Events) -> None:
        self.hub = hub
        self.feed = Feed(tasks, self.build)
        self._told: dict[str, Told] = {}
        self._chosen: list[str] = []
        events.changed.listen(self._see)
        events.changed_unseen.listen(self._see_id)
        events.watched.listen(self._see_id)

    def _see(self, live: LiveMatch) -> None:
        if live.loaded is None or live.loaded.row.listed:
            self.feed.changed()

    def _see_id(self, match_id: str) -> None:
        live = self.hub.matches.get(match_id)
        if live is not None:
            self._see(live)
        elif match_id in self._chosen:
            self.feed.changed()

    # --- Choosing ---------------------------------------------------------------------------

    async def look(self) -> None:
        """Notice who has come or gone, and tell the other processes. Runs every second."""
        relay = self.hub.relay
        if relay is None and not self.feed.sockets:
            return
        here = await self._here()
        if relay is not None:
            kinds = [one for one in here if one.is_open], [one for one in here if not one.is_open]
            told = [one for kind in kinds for one in in_turns(kind, MOST_TOLD, MOST_TOLD)]
            relay.tell_listed(told)
        chosen = [one.id for kind in self._choose(here) for one in kind]
        if chosen != self._chosen:
            self._chosen = chosen
            self.feed.changed()

    def take(self, who: str, data: Any) -> None:
        """Store the listed matches of another process. It sends them every second."""
        now = time.monotonic()
        matches = msgspec.convert(data, list[Listed])
        before = self._told.get(who)
        self._told = {
            each: told for each, told in self._told.items() if now - told.at < TOLD_FOR
        } | {who: Told(now, matches)}
        if before is None or before.matches != matches:
            self.feed.changed()

    async def _here(self) -> list[Listed]:
        found = []
        for count, live in enumerate(tuple(self.hub.matches.values()), 1):
            if one := listed(live, time.monotonic()):
                found.append(one)
            if count % MATCHES_AT_ONCE == 0:
                await asyncio.sleep(0)
        return found

    def _choose(self, here: Iterable[Listed]) -> tuple[list[Listed], list[Listed]]:
        """Choose from the matches of all processes: the invitations, and those being played."""
        since = time.monotonic() - TOLD_FOR
        there = [one for told in self._told.values() if told.at > since for one in told.matches]
        matches = [one for one in merged([*here, *there]) if one.is_shown]
        return (
            in_turns((one for one in matches if one.is_open), MOST_OPEN, MOST_OPEN_A_NETWORK),
            in_turns((one for one in matches if not one.is_open), MOST_LIVE, MOST_LIVE),
        )

    # --- The message ------------------------------------------------------------------------

    async def lists(self) -> Lists:
        """Return the lists as they were at most a second ago."""
        return msgspec.json.decode(await self.feed.current(), type=Lists)

    async def build(self) -> str:
        """Build the message. Only matches that aren't loaded here are read from the database."""
        invitations, playing = self._choose(await self._here())
        loaded: dict[str, LoadedMatch] = {}
        for one in (*invitations, *playing):
            live = self.hub.matches.get(one.id)
            if live is not None and live.loaded is not None:
                loaded[one.id] = live.loaded
        missing = [one.id for one in (*invitations, *playing) if one.id not in loaded]
        if missing:
            loaded |= await database.read(_load, missing)
        # What other processes have told may be a second old.
        open_entries = [
            open_entry(found.row)
            for one in invitations
            if (found := loaded.get(one.id)) and found.row.listed
            if found.row.status == Match.Status.OPEN
        ]
        live_entries = [
            live_entry(found, self.hub.spectators_of(one.id))
            for one in playing
            if (found := loaded.get(one.id)) and found.is_live
        ]
        return protocol.encode({"type": "lobby", "open": open_entries, "live": live_entries})


def _load(match_ids: list[str]) -> dict[str, LoadedMatch]:
    stored = selectors.stored_matches(match_ids)
    return {one.row.pk: LoadedMatch(one) for one in stored}


def open_entry(row: Match) -> dict[str, Any]:
    """Return an invitation. Lists show only generated names, so there is nothing to moderate."""
    guest = row.seat_1 or row.seat_2
    return {
        "id": row.pk,
        "game": row.game,
        "options": row.options,
        "name": guest.name if guest else None,
        "free_seat": 2 if row.seat_1_id else 1,
        "created": row.created.timestamp(),
    }


def live_entry(loaded: LoadedMatch, spectators: int) -> dict[str, Any]:
    row = loaded.row
    seats = {"1": row.seat_1, "2": row.seat_2}
    return {
        "id": row.pk,
        "game": row.game,
        "options": row.options,
        "players": {seat: _player(guest) for seat, guest in seats.items() if guest},
        "version": loaded.version,
        "state": loaded.game.to_json(loaded.state),
        "turn": loaded.state.turn,
        "spectators": spectators,
    }


def _player(guest: Guest) -> dict[str, str]:
    """Return a player's generated name. A `level` means: the computer; translate its name."""
    return {"name": guest.name, "level": guest.level} if guest.level else {"name": guest.name}
