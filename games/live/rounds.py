"""What is done every few seconds beside what players do: little at once, so that no move waits."""

import time

from django.utils import timezone

from games import services
from games.live import alone, database, presence
from games.live.hub import Hub, spread
from games.live.room import HELD_FOR, Room

PRESENCE_EVERY = 1.0
CLOSE_STALE_EVERY = 3600.0
STAY_ALONE_EVERY = 15.0
# Moves wait for some milliseconds meanwhile, or for far longer when very much has been written. So
# it is done every few seconds, or when there have been so many actions.
CHECKPOINT_EVERY = 5.0
CHECKPOINT_AFTER = 4_000
LOOK_AT_LOG_EVERY = 1.0


class Rounds:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        # When SQLite's log was last taken over, and how many actions there had been by then.
        self._checkpointed, self._written = time.monotonic(), 0

    def begin(self) -> None:
        self.hub.repeat(PRESENCE_EVERY, self.show_presence)
        self.hub.repeat(CLOSE_STALE_EVERY, self.close_stale)
        self.hub.repeat(STAY_ALONE_EVERY, self.stay_alone)
        self.hub.repeat(LOOK_AT_LOG_EVERY, self.checkpoint)

    async def show_presence(self) -> None:
        """Tell everyone who is here now, where that has changed; let go of rooms left empty."""
        relay, rooms = self.hub.relay, self.hub.rooms.values()
        if relay is not None:
            relay.tell_presence(
                {room.id: (room.presence.heard, room.spectators) for room in rooms if room.sockets}
            )
        now = time.time()
        # What other processes say of who is here may change at any time.
        due = [room for room in rooms if relay is not None or room.steady_until < now]
        async for part in spread(due, PRESENCE_EVERY / 2):
            for room in part:
                self._show_presence_in(room)

    def _show_presence_in(self, room: Room) -> None:
        if not room.sockets:
            unused = time.time() - room.empty_since > HELD_FOR and not room.writing
            if unused and self.hub.rooms.get(room.id) is room:
                del self.hub.rooms[room.id]
        elif room.held is not None:
            message = self.hub.presence_of(room)
            room.steady_until = presence.steady_until(
                room.held, room.presence, message, time.time()
            )
            if message != room.shown:
                room.shown = message
                self.hub.broadcast(room, self.hub.presence_text(message))

    async def close_stale(self) -> None:
        await database.write(services.close_stale, timezone.now())

    async def stay_alone(self) -> None:
        """A database that was restarted has forgotten who holds it."""
        await database.read(alone.serve_alone_or_together)

    async def checkpoint(self) -> None:
        now, written = time.monotonic(), self.hub.written
        is_time = now - self._checkpointed >= CHECKPOINT_EVERY
        if is_time or written - self._written >= CHECKPOINT_AFTER:
            self._checkpointed, self._written = now, written
            await database.read(database.checkpoint)
