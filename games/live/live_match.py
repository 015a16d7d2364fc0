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

logger = logging.getLogger(__name__)

# A match stays loaded this long after its last socket has gone, because a reloaded page
# reconnects at once.
HELD_FOR = 30.0
# Spectators are sent messages in batches of this size, so that moves can go in between.
SOCKETS_AT_ONCE = 50


class LiveMatch:
    def __init__(self, match_id: str, now: float, tasks: Tasks) -> None:
        self.id = match_id
        self.loaded: LoadedMatch | None = None
        self.sockets: set[Socket] = set()
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
        self._telling = False

    @property
    def spectators(self) -> int:
        return sum(socket.you == () for socket in tuple(self.sockets))

    def show(self, entries: list[Entry]) -> bool:
        """Add committed entries and tell everyone here; return whether they ended the match."""
        loaded = self.loaded
        assert loaded is not None
        before = loaded.outcome
        loaded.extend(entries)
        for entry in entries:
            self.broadcast(protocol.update(loaded, entry))
        return before is None and loaded.outcome is not None

    def broadcast(self, text: str) -> None:
        """Send a text to every socket of this match. In a crowd, the players get it first."""
        frame = frame_of(text)
        if len(self.sockets) <= SOCKETS_AT_ONCE and not self._untold:
            push_to(self.sockets, text, frame)
            return
        push_to((socket for socket in self.sockets if socket.you), text, frame)
        self._untold.append((text, frame))
        if not self._telling:
            self._telling = True
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
            self._telling = False
