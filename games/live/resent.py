"""Answers requests that were committed before and are sent again.

A client that got no answer asks again at once, so that is nearly always about the match's last
action, which is at hand. An older action has to be replayed. That is done one at a time, with
pauses, so that even many clients that send all their old requests again delay nobody's move.
"""

import asyncio
import time
from collections import OrderedDict

from games.live import protocol
from games.live.live_match import LiveMatch
from games.live.socket import Socket
from games.live.tasks import Tasks

# For each socket. What doesn't fit is dropped: the client will send it again.
LONGEST_QUEUE = 20
# Pause this many times as long as the last answer took.
PAUSES = 4


class Resent:
    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        # The versions to send to each socket. The sockets take turns.
        self._waiting: OrderedDict[Socket, tuple[LiveMatch, list[int]]] = OrderedDict()
        self._running = False

    def answer(self, live: LiveMatch, socket: Socket, version: int) -> None:
        """Send the update with this version to this socket, now or soon."""
        assert live.loaded is not None
        if version == live.loaded.version:
            _send(live, socket, version)
            return
        _, versions = self._waiting.setdefault(socket, (live, []))
        if version not in versions and len(versions) < LONGEST_QUEUE:
            versions.append(version)
        if not self._running:
            self._running = True
            self.tasks.spawn(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                socket, (live, versions) = self._waiting.popitem(last=False)
                if socket not in live.sockets:
                    continue
                begin = time.perf_counter()
                _send(live, socket, versions.pop(0))
                if versions:
                    self._waiting[socket] = live, versions
                await asyncio.sleep(PAUSES * (time.perf_counter() - begin))
        finally:
            self._running = False


def _send(live: LiveMatch, socket: Socket, version: int) -> None:
    assert live.loaded is not None
    socket.push(protocol.update(live.loaded, live.loaded.entry(version)))
