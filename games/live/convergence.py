"""Convergence: compare the loaded matches with the database, and send what was missed.

A message between processes or to a client may be lost. If it was a match's last one, there is no
gap in the versions to reveal it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.metrics import RESYNCS
from games.matches import database, selectors

COMPARE_EVERY = 5.0
# Work on many matches is split into batches of this size, so that moves can go in between.
MATCHES_AT_ONCE = 20
# At least this many seconds lie between two batches that are read from the database. A move that
# comes while a thread reads one waits for up to half a millisecond, and fewer than one in a hundred
# moves should.
LEAST_PAUSE = 0.02
# How many seconds a commit may take to reach the other processes.
WORD_TAKES = 0.3


class Convergence:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub

    async def compare_all(self) -> None:
        matches = [
            live for live in self.hub.matches.values() if live.loaded is not None and live.sockets
        ]
        seconds = max(COMPARE_EVERY / 2, LEAST_PAUSE * len(matches) / MATCHES_AT_ONCE)
        async for part in spread(matches, seconds):
            await self.compare(part)

    async def compare(self, matches: Iterable[LiveMatch]) -> None:
        """Compare these matches with the database, and refresh those that missed something."""
        by_id = {live.id: live for live in matches if not live.writing}
        stored = await database.read(selectors.fingerprints, list(by_id))
        for match_id in by_id.keys() - stored.keys():
            self.hub.forget(by_id[match_id])
        differ = [match_id for match_id in stored if _differs(by_id[match_id], stored[match_id])]
        if not differ:
            return
        # A message may be on its way from the process that committed it.
        await asyncio.sleep(WORD_TAKES)
        for match_id in differ:
            if _differs(by_id[match_id], stored[match_id]):
                RESYNCS.inc()
                await self.hub.refresh(by_id[match_id])


async def spread(
    matches: Sequence[LiveMatch], seconds: float
) -> AsyncIterator[Sequence[LiveMatch]]:
    """Yield the matches in batches, spread over this many seconds."""
    pause = seconds * MATCHES_AT_ONCE / max(1, len(matches))
    for start in range(0, len(matches), MATCHES_AT_ONCE):
        if start:
            await asyncio.sleep(pause)
        yield matches[start : start + MATCHES_AT_ONCE]


def _differs(live: LiveMatch, stored: tuple[Any, ...]) -> bool:
    """Return whether the database has something newer than the loaded match."""
    loaded = live.loaded
    if loaded is None or live.writing or stored[0] < loaded.version:
        return False  # it changed while we were reading
    return stored != loaded.fingerprint
