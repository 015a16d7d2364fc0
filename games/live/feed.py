"""A feed: one message about a topic, for all sockets that subscribe to it.

The message is rebuilt when the topic has changed, at most once a second and only while somebody is
subscribed, and sent only if it differs from the last one. A new subscriber gets the last one.
"""

import asyncio
import logging
import math
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
        self._built = -math.inf
        self._building: asyncio.Task[None] | None = None

    async def enter(self, socket: Socket) -> None:
        """Subscribe a socket and send it the current message."""
        self.sockets.add(socket)
        try:
            socket.push(await self.current())
        except BaseException:
            self.leave(socket)
            raise
        if not self._running:
            self._running = True
            self._tasks.spawn(self._run())

    async def current(self) -> str:
        """Return the last message. If it may be outdated, build one for all who are waiting."""
        if not self._running and time.monotonic() - self._built >= self.every:
            if self._building is None:
                self._building = asyncio.get_running_loop().create_task(self._rebuild())
            await asyncio.shield(self._building)
        return self._last

    async def _rebuild(self) -> None:
        try:
            self._changed = False
            self._last = await self._build()
            self._built = time.monotonic()
        finally:
            self._building = None

    def leave(self, socket: Socket) -> None:
        self.sockets.discard(socket)

    def changed(self) -> None:
        """Note that the topic has changed. The new message is sent within a second."""
        self._changed = True

    async def _run(self) -> None:
        try:
            while self.sockets:
                await asyncio.sleep(self.every)
                if not self._changed and time.monotonic() - self._built <= self.look_every:
                    continue
                before = self._last
                try:
                    await self._rebuild()
                except database.AWAY as error:
                    logger.warning("The database is away: %s", database.first_line(error))
                    self._changed = True
                    continue
                if self._last != before:
                    push_to(self.sockets, self._last)
        finally:
            self._running = False
