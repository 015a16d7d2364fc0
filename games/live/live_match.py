"""One match in this process."""

import asyncio
from typing import Any

from games.live.presence import Presence
from games.live.socket import Socket
from games.matches.loaded_match import LoadedMatch

# A match stays loaded for a while after the last socket has gone: a reload is a short absence.
HELD_FOR = 30.0


class LiveMatch:
    """Its sockets, what is loaded of it, and who was heard."""

    def __init__(self, match_id: str, now: float) -> None:
        self.id = match_id
        self.loaded: LoadedMatch | None = None
        self.sockets: set[Socket] = set()
        self.presence = Presence(since=now)
        self.loading: asyncio.Task[None] | None = None
        self.outdated = False
        self.writing = False
        self.empty_since = now
        self.shown: dict[str, Any] | None = None
        # Until then who is here cannot change by itself.
        self.steady_until = 0.0
        # What spectators have not been told yet, and whether somebody is about it.
        self.untold: list[tuple[str, bytes]] = []
        self.telling = False

    @property
    def spectators(self) -> int:
        return sum(socket.you == () for socket in tuple(self.sockets))
