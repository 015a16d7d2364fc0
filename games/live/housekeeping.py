"""Regular jobs: presence, unloading matches, deleting expired data, SQLite's log.

Each job works in small steps, so that no move waits for it.
"""

import asyncio
import time

from django.utils import timezone

from games.guests import sweeping
from games.live import presence
from games.live.convergence import spread
from games.live.hub import Hub
from games.live.live_match import HELD_FOR, LiveMatch
from games.live.tasks import Job
from games.matches import cleanup, database

PRESENCE_EVERY = 1.0
SWEEP_EVERY = 3600.0
# Between the steps of a sweep, moves have the database to themselves.
SWEEP_PAUSE = 0.05
# A checkpoint holds up moves for some milliseconds, and for far longer if the log is long. So we
# run one every few seconds, or after this many actions.
CHECKPOINT_EVERY = 5.0
CHECKPOINT_AFTER = 4_000
LOOK_AT_LOG_EVERY = 1.0


class Housekeeping:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        # The time of the last checkpoint, and the number of actions at that time.
        self._checkpointed, self._written = time.monotonic(), 0

    @property
    def jobs(self) -> list[tuple[float, Job]]:
        return [
            (PRESENCE_EVERY, self.show_presence),
            (SWEEP_EVERY, self.sweep),
            (LOOK_AT_LOG_EVERY, self.checkpoint),
        ]

    async def show_presence(self) -> None:
        """Send presence where it has changed, and unload matches without sockets."""
        relay, matches = self.hub.relay, self.hub.matches.values()
        if relay is not None:
            relay.tell_presence(
                {
                    live.id: (live.presence.heard, live.spectators)
                    for live in matches
                    if live.sockets
                }
            )
        now = time.monotonic()
        # Other processes may report a change at any time.
        due = [live for live in matches if relay is not None or live.steady_until < now]
        async for part in spread(due, PRESENCE_EVERY / 2):
            for live in part:
                self._show_presence_in(live)

    def _show_presence_in(self, live: LiveMatch) -> None:
        if not live.sockets:
            if time.monotonic() - live.empty_since > HELD_FOR and not live.writing:
                self.hub.unload(live)
        elif live.loaded is not None:
            message = self.hub.presence_of(live)
            live.steady_until = presence.steady_until(
                live.loaded, live.presence, message, time.monotonic()
            )
            if message != live.shown:
                live.shown = message
                live.broadcast(self.hub.presence_text(message))

    async def sweep(self) -> None:
        """Close and delete expired data. If several processes do this, it is done once."""
        now = timezone.now()
        for steps in (cleanup.steps(now), sweeping.steps(now)):
            while await database.write(next, steps, None) is not None:
                await asyncio.sleep(SWEEP_PAUSE)

    async def checkpoint(self) -> None:
        now, written = time.monotonic(), self.hub.written
        is_time = now - self._checkpointed >= CHECKPOINT_EVERY
        if is_time or written - self._written >= CHECKPOINT_AFTER:
            self._checkpointed, self._written = now, written
            await database.read(database.checkpoint)
