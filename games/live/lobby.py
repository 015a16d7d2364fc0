"""The lobby's sockets: listed matches, waiting or being played, at most one message a second."""

import asyncio
import logging
import time
from typing import Any

from games.live import protocol
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.socket import Socket, push_to
from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.models import Match

logger = logging.getLogger(__name__)

MOST_OPEN = 50
MOST_LIVE = 12
EVERY = 1.0
LOOK_EVERY = 15.0


def open_entry(row: Match) -> dict[str, Any]:
    """An invitation. Lists show generated names only, so there is nothing to moderate."""
    guest = row.seat_1 or row.seat_2
    return {
        "id": row.pk,
        "game": row.game,
        "options": row.options,
        "name": guest.name if guest else None,
        "free_seat": 2 if row.seat_1_id else 1,
        "created": row.created.timestamp(),
    }


def live_entry(stored: selectors.StoredMatch, spectators: int) -> dict[str, Any]:
    loaded = LoadedMatch(stored)
    guests = {"1": stored.row.seat_1, "2": stored.row.seat_2}
    return {
        "id": stored.row.pk,
        "game": stored.row.game,
        "options": stored.row.options,
        "players": {seat: {"name": guest.name} for seat, guest in guests.items() if guest},
        "version": loaded.version,
        "state": loaded.game.to_json(loaded.state),
        "turn": loaded.state.turn,
        "spectators": spectators,
    }


def open_matches() -> list[dict[str, Any]]:
    return [open_entry(row) for row in selectors.open_listed(MOST_OPEN)]


def live_matches(hub: Hub | None) -> list[dict[str, Any]]:
    return [
        live_entry(stored, hub.spectators_of(stored.row.pk) if hub else 0)
        for stored in selectors.live_listed(MOST_LIVE)
    ]


class Lobby:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.sockets: set[Socket] = set()
        self._watching = False
        self._changed = False
        self._last = ""
        events = hub.events
        events.changed.listen(self._look_at)
        events.changed_unseen.listen(self._look_at_id)
        events.watched.listen(self._look_at_id)

    def _look_at(self, live: LiveMatch) -> None:
        if live.loaded is not None and live.loaded.row.listed:
            self._changed = True

    def _look_at_id(self, match_id: str) -> None:
        live = self.hub.matches.get(match_id)
        if live is None or live.loaded is None or live.loaded.row.listed:
            self._changed = True

    async def enter(self, socket: Socket) -> None:
        self.sockets.add(socket)
        try:
            socket.push(await database.read(self._message))
        except database.AWAY:
            self.leave(socket)
            raise
        if not self._watching:
            self._watching = True
            self.hub.tasks.spawn(self._watch())

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)

    def _message(self) -> str:
        return protocol.encode(
            {"type": "lobby", "open": open_matches(), "live": live_matches(self.hub)}
        )

    async def _watch(self) -> None:
        """Send the lobby when it has changed, for as long as somebody looks at it."""
        looked = time.monotonic()
        try:
            while self.sockets:
                await asyncio.sleep(EVERY)
                # Matches also leave the lobby by nobody doing anything.
                overdue = time.monotonic() - looked > LOOK_EVERY
                if not (self._changed or overdue):
                    continue
                looked = time.monotonic()
                self._changed = False
                try:
                    message = await database.read(self._message)
                except database.AWAY as error:
                    logger.warning("The database is away: %s", database.first_line(error))
                    self._changed = True
                    continue
                if message != self._last:
                    self._last = message
                    push_to(self.sockets, message)
        finally:
            self._watching = False
