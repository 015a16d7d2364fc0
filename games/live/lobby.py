"""The lobby: a feed of the listed matches, those waiting for an opponent and those being played."""

from collections.abc import Callable
from typing import Any

from games.live import protocol
from games.live.events import Events
from games.live.feed import Feed
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.tasks import Tasks
from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.models import Guest, Match

MOST_OPEN = 50
MOST_LIVE = 12


class Lobby:
    def __init__(self, hub: Hub, tasks: Tasks, events: Events) -> None:
        self.hub = hub
        self.feed = Feed(tasks, self.build)
        events.changed.listen(self._see)
        events.changed_unseen.listen(self._see_id)
        events.watched.listen(self._see_id)

    def _see(self, live: LiveMatch) -> None:
        if live.loaded is None or live.loaded.row.listed:
            self.feed.changed()

    def _see_id(self, match_id: str) -> None:
        live = self.hub.matches.get(match_id)
        if live is None or live.loaded is None or live.loaded.row.listed:
            self.feed.changed()

    async def build(self) -> str:
        """Build the message. Only matches that aren't loaded here are read with their actions."""
        invitations, listed = await database.read(_read)
        loaded = {}
        missing = []
        for row, version in listed:
            if held := self._held(row, version):
                loaded[row.pk] = held
            else:
                missing.append(row)
        if missing:
            loaded |= await database.read(_load, missing)
        live = [
            live_entry(row, loaded[row.pk], self.hub.spectators_of(row.pk))
            for row, _ in listed
            # It may have ended while we were reading the others.
            if loaded[row.pk].outcome is None
        ]
        return protocol.encode({"type": "lobby", "open": invitations, "live": live})

    def _held(self, row: Match, version: int) -> LoadedMatch | None:
        """Return this match if it is loaded here and as new as the database."""
        live = self.hub.matches.get(row.pk)
        loaded = live.loaded if live else None
        return loaded if loaded is not None and loaded.version >= version else None


def _read() -> tuple[list[dict[str, Any]], list[tuple[Match, int]]]:
    return open_matches(), selectors.live_listed(MOST_LIVE)


def open_matches() -> list[dict[str, Any]]:
    return [open_entry(row) for row in selectors.open_listed(MOST_OPEN)]


def live_matches(spectators_of: Callable[[str], int]) -> list[dict[str, Any]]:
    """List the matches being played, all of them from the database. Safe in any thread."""
    rows = [row for row, _ in selectors.live_listed(MOST_LIVE)]
    loaded = _load(rows)
    return [live_entry(row, loaded[row.pk], spectators_of(row.pk)) for row in rows]


def _load(rows: list[Match]) -> dict[str, LoadedMatch]:
    return {stored.row.pk: LoadedMatch(stored) for stored in selectors.with_actions(rows)}


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


def live_entry(row: Match, loaded: LoadedMatch, spectators: int) -> dict[str, Any]:
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
