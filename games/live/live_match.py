"""One match in this process: its sockets, its loaded state, and its presence."""

import asyncio
import logging
from typing import Any

from games.live import protocol
from games.live.frames import frame_of
from games.live.presence import Presence
from games.live.socket import Socket, push_to
from games.live.tasks import Tasks
from games.matches.loaded_match import Entry, LoadedMatch
from games.rules import Seat

logger = logging.getLogger(__name__)

# A match stays loaded this long after its last socket has gone, because a reloaded page
# reconnects at once.
HELD_FOR = 30.0
# Spectators are sent messages in batches of this size, so that moves can go in between.
SOCKETS_AT_ONCE = 50


class LiveMatch:
    __slots__ = (
        *("_tasks", "_untold", "empty_since", "id", "is_telling", "loaded", "loading", "outdated"),
        *("players", "presence", "shown", "sockets", "spectators", "steady_until", "writing"),
    )

    def __init__(self, match_id: str, now: float, tasks: Tasks) -> None:
        self.id = match_id
        self.loaded: LoadedMatch | None = None
        # All sockets, those that play, and how many only watch.
        self.sockets: set[Socket] = set()
        self.players: set[Socket] = set()
        self.spectators = 0
        self.presence = Presence(since=now)
        self.loading: asyncio.Task[None] | None = None
        # Something changed since the last read began.
        self.outdated = False
        self.writing = False
        self.empty_since = now
        # The last presence message that was sent.
        self.shown: dict[str, Any] | None = None
        # Until this time, presence can't change unless somebody comes or goes.
        self.steady_until = 0.0
        self._tasks = tasks
        # The messages waiting for spectators, and whether a task is sending them.
        self._untold: list[tuple[str, bytes]] = []
        self.is_telling = False

    def seat(self, socket: Socket, seats: tuple[int, ...]) -> bool:
        """Note which seats a socket plays; return whether that has changed."""
        if socket.you == seats:
            return False
        self._uncount(socket)
        socket.you = seats
        if seats:
            self.players.add(socket)
        else:
            self.spectators += 1
        return True

    def remove(self, socket: Socket) -> None:
        if socket in self.sockets:
            self.sockets.remove(socket)
            self._uncount(socket)

    def _uncount(self, socket: Socket) -> None:
        if socket.you:
            self.players.discard(socket)
        elif socket.you is not None:
            self.spectators -= 1

    def show(self, entries: list[Entry]) -> bool:
        """Add committed entries and tell everyone here; return whether they ended the match."""
        loaded = self.loaded
        assert loaded is not None
        before = loaded.outcome
        loaded.extend(entries)
        for entry in entries:
            self.broadcast(protocol.update(loaded, entry), loaded.state.turn)
        return before is None and loaded.outcome is not None

    def broadcast(self, text: str, turn: Seat | None = None) -> None:
        """Send a text to every socket of this match. In a crowd, the players get it first.

        If it says whose turn it is, that player gets it before everyone else: a write takes about
        10 µs, and the other sockets are written while that client continues.
        """
        frame = frame_of(text)
        is_small = len(self.sockets) <= SOCKETS_AT_ONCE and not self.is_telling
        first: list[Socket] = []
        later: list[Socket] = []
        for socket in self.sockets if is_small else self.players:
            (first if socket.you and turn in socket.you else later).append(socket)
        push_to(first + later, text, frame)
        if not is_small:
            self._tell_soon(text, frame)

    def tell_spectators(self, text: str) -> None:
        """Send a text to everyone who only watches."""
        if self.spectators:
            self._tell_soon(text, frame_of(text))

    def _tell_soon(self, text: str, frame: bytes) -> None:
        self._untold.append((text, frame))
        if not self.is_telling:
            self.is_telling = True
            self._tasks.spawn(self._tell_spectators())

    async def _tell_spectators(self) -> None:
        """Send messages to spectators in batches, so that moves don't wait, in any match.

        Messages that arrive in the meantime go out together in the next round.
        """
        try:
            while self._untold:
                texts, frames = zip(*self._untold, strict=True)
                self._untold.clear()
                together = b"".join(frames)
                spectators = [socket for socket in self.sockets if not socket.you]
                for start in range(0, len(spectators), SOCKETS_AT_ONCE):
                    for socket in spectators[start : start + SOCKETS_AT_ONCE]:
                        try:
                            socket.push_together(texts, together)
                        except Exception:
                            logger.exception("A message could not be sent")
                    await asyncio.sleep(0)
        finally:
            self.is_telling = False
