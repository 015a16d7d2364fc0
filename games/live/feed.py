"""A feed: one message about a topic, for all sockets that subscribe to it.

The message is rebuilt when the topic has changed, at most once a second and only while somebody is
subscribed, and sent only if it differs from the last one.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from games.live.socket import Socket, push_to
from games.live.tasks import Tasks
from games.matches import database

logger = logging.getLogger(__name__)

EVERY = 1.0
# Some topics also change as time passes, so each message is rebuilt at least this often.
LOOK_EVERY = 15.0


class Feed:
    every = EVERY
    look_every = LOOK_EVERY

    def __init__(self, tasks: Tasks, build: Callable[[], Awaitable[str]]) -> None:
        self.sockets: set[Socket] = set()
        self._tasks, self._build = tasks, build
        self._changed = False
        self._running = False
        self._last = ""

    async def enter(self, socket: Socket) -> None:
        """Subscribe a socket and send it the current message."""
        self.sockets.add(socket)
        try:
            socket.push(await self._build())
        except BaseException:
            self.leave(socket)
            raise
        if not self._running:
            self._running = True
            self._tasks.spawn(self._run())

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)

    def changed(self) -> None:
        """Note that the topic has changed. The new message is sent within a second."""
        self._changed = True

    async def _run(self) -> None:
        looked = time.monotonic()
        try:
            while self.sockets:
                await asyncio.sleep(self.every)
                if not self._changed and time.monotonic() - looked <= self.look_every:
                    continue
                looked = time.monotonic()
                self._changed = False
                try:
                    message = await self._build()
                except database.AWAY as error:
                    logger.warning("The database is away: %s", database.first_line(error))
                    self._changed = True
                    continue
                if message != self._last:
                    self._last = message
                    push_to(self.sockets, message)
        finally:
            self._running = False
