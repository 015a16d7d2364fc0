"""What the agenda knows about one guest who has sockets in this process."""

import asyncio
from typing import Any

from games.guests.history import Standing
from games.live.socket import Socket

# Nobody needs a larger number in the header.
MOST_SHOWN = 99
# For how many matches we remember what was said about them.
MOST_REMEMBERED = 200


class Following:
    __slots__ = (
        *("_rooms", "is_outdated", "is_telling", "only", "places", "reading", "shown"),
        *("sockets", "standings", "told", "waiting"),
    )

    def __init__(self) -> None:
        # The sockets at `/ws/me/`, and those of matches, with the match's id.
        self.sockets: set[Socket] = set()
        self.places: dict[Socket, str] = {}
        # How many sockets each match has, and what those of matches were last told.
        self._rooms: dict[str, int] = {}
        self.shown: dict[Socket, int] = {}
        self.is_telling = False
        # The match that all sockets belong to. While there is one, nobody has to be told about it.
        self.only: str | None = None
        # How the guest's matches stand; None before they are read. Those that wait for the guest.
        self.standings: dict[str, Standing] | None = None
        self.waiting: set[str] = set()
        # What the sockets at `/ws/me/` were last told about each match.
        self.told: dict[str, tuple[Any, ...]] = {}
        self.reading: asyncio.Task[list[str]] | None = None
        # Something changed since the last read began.
        self.is_outdated = False

    def your_turn(self, besides: str | None = None) -> int:
        """Count the matches in which it's the guest's turn, except this one."""
        return len(self.waiting) - (besides in self.waiting)

    def shown_at(self, socket: Socket) -> int:
        """Return the number that a match's socket is told."""
        return min(MOST_SHOWN, self.your_turn(self.places[socket]))

    def come(self, socket: Socket, match_id: str | None) -> None:
        if match_id is None:
            self.sockets.add(socket)
        elif socket not in self.places:
            self.places[socket] = match_id
            self.shown[socket] = 0
            self._rooms[match_id] = self._rooms.get(match_id, 0) + 1
        self._place()

    def go(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        self.shown.pop(socket, None)
        match_id = self.places.pop(socket, None)
        if match_id is not None:
            self._rooms[match_id] -= 1
            if not self._rooms[match_id]:
                del self._rooms[match_id]
        self._place()

    def _place(self) -> None:
        is_alone = len(self._rooms) == 1 and not self.sockets
        self.only = next(iter(self._rooms)) if is_alone else None
        if not self.sockets:
            self.told.clear()

    def remember(self, match_id: str, fingerprint: tuple[Any, ...]) -> None:
        """Note what the sockets are told about a match; the oldest note goes."""
        self.told.pop(match_id, None)
        self.told[match_id] = fingerprint
        if len(self.told) > MOST_REMEMBERED:
            del self.told[next(iter(self.told))]

    @property
    def is_empty(self) -> bool:
        return not self.sockets and not self.places
