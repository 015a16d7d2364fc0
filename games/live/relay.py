"""Between processes: one Redis channel on which every hub tells the others what it has committed.

A message lost here costs nobody a move: the others notice by `version` or by comparing with the
database.
"""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.presence import TOLD_FOR
from games.rules import Seat
from games.selectors import StoredAction

logger = logging.getLogger(__name__)

CHANNEL = "numgames"
# While Redis is away the hubs converge through the database; what waits longer than this is old.
LONGEST_QUEUE = 10_000

Heard = Callable[[str, str, Any], None]


class Relay:
    def __init__(self, url: str, heard: Heard) -> None:
        self.me = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.heard = heard
        self.connected_since: float | None = None
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue(LONGEST_QUEUE)
        # No time limit on reading: an idle channel is silent, not broken. Reconnecting is our own
        # business, below.
        self._redis = redis.asyncio.Redis.from_url(
            url,
            socket_timeout=None,
            socket_connect_timeout=2,
            socket_keepalive=True,
            health_check_interval=0,
            retry=Retry(NoBackoff(), 0),
        )

    @classmethod
    def from_settings(cls, heard: Heard) -> "Relay | None":
        return cls(settings.REDIS_URL, heard) if settings.REDIS_URL else None

    @property
    def is_settled(self) -> bool:
        """Whether we have listened for long enough to know what the others know."""
        return (
            self.connected_since is not None and time.monotonic() - self.connected_since > TOLD_FOR
        )

    # --- Telling ----------------------------------------------------------------------------

    def tell_actions(self, match_id: str, actions: Iterable[StoredAction]) -> None:
        self._tell("actions", (match_id, list(actions)))

    def tell_changed(self, match_id: str) -> None:
        self._tell("changed", match_id)

    def tell_presence(self, rooms: Mapping[str, tuple[dict[Seat, float], int]]) -> None:
        """Ages, not times: the clocks of two machines may differ."""
        now = time.time()
        told = {
            match_id: ({str(seat): now - at for seat, at in heard.items()}, spectators)
            for match_id, (heard, spectators) in rooms.items()
        }
        self._tell("presence", told)

    def _tell(self, kind: str, data: Any) -> None:
        if self.connected_since is None:
            return
        try:
            self._outbox.put_nowait(msgspec.json.encode((kind, self.me, data)))
        except asyncio.QueueFull:
            logger.warning("Redis does not keep up; a message to the other processes was dropped")

    # --- Listening --------------------------------------------------------------------------

    async def listen(self) -> None:
        """Stay connected for as long as the process lives."""
        pause = 0.1
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.connected_since = time.monotonic()
                    pause = 0.1
                    self.heard("back", self.me, None)
                    sender = asyncio.create_task(self._send())
                    try:
                        async for message in channel.listen():
                            if message["type"] == "message":
                                self._deliver(message["data"])
                            if sender.done():
                                sender.result()
                    finally:
                        sender.cancel()
            except (RedisError, OSError) as error:
                if self.connected_since is not None:
                    logger.warning("Redis is away (%s); moves go on through the database", error)
                self.connected_since = None
                while not self._outbox.empty():
                    self._outbox.get_nowait()
                await asyncio.sleep(pause)
                pause = min(2.0, pause * 2)

    async def _send(self) -> None:
        while True:
            await self._redis.publish(CHANNEL, await self._outbox.get())

    def _deliver(self, data: bytes) -> None:
        kind, who, content = msgspec.json.decode(data)
        if who == self.me:
            return
        try:
            self.heard(kind, who, content)
        except Exception:
            logger.exception("A message from another process could not be used")
