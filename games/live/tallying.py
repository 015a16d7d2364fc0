"""Adds finished matches to the players' records, soon after they end and without delaying moves."""

import asyncio

from games.guests import tallies
from games.live.events import Events
from games.live.live_match import LiveMatch
from games.matches import database

LOOK_EVERY = 2.0
# Besides what ended here, there may be matches of a process that died, or of an earlier version.
LOOK_ANYWAY_AFTER = 30  # looks
# Between the steps, moves have the database to themselves.
PAUSE = 0.05


class Tallying:
    def __init__(self, events: Events) -> None:
        # How many looks until the next one that is made although nothing ended here.
        self._wait = 0
        events.finished.listen(self._see)

    def _see(self, live: LiveMatch) -> None:
        self._wait = 0

    async def look(self) -> None:
        """Count all matches that are over and not counted yet, in small steps."""
        self._wait -= 1
        if self._wait < 0:
            self._wait = LOOK_ANYWAY_AFTER
            while await database.write(tallies.step):
                await asyncio.sleep(PAUSE)

    async def note_accuracy(self, match_id: str, accuracy: list[dict[str, int]]) -> None:
        """Note what the review of a match found out about its players."""
        await database.write(tallies.note_accuracy, match_id, accuracy)
