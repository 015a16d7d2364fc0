"""The relay: one Redis channel on which every process tells the others what it has committed.

If a message is lost here, no move is lost: the other processes notice by `version`, or when they
compare with the database. Messages queued during a send go out together in the next one.
"""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import redis.asyncio
from django.conf import settings
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.listing import Listed
from games.live.metrics import REDIS_RECONNECTS
from games.live.presence import TOLD_FOR
from games.matches.selectors import StoredAction
from games.rules import Seat

logger = logging.getLogger(__name__)

CHANNEL = "numgames"
# While Redis is away, processes converge through the database, so a longer queue is outdated.
LONGEST_QUEUE = 10_000
# Every second each process sends its presence, and receives its own message too. Silence means
# that Redis hangs: first we stop relying on it, then we reconnect.
SILENT_AFTER = 3.0
BROKEN_AFTER = 8.0
LONGEST_PAUSE = 2.0
LONGEST_GOODBYE = 0.5
LONGEST_PING = 2.0

Heard = Callable[[str, str, Any], None]


class Relay:
    def __init__(self, url: str, heard: Heard) -> None:
        self.me = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.heard = heard
        self._outbox: list[tuple[str, Any]] = []
        self._something = asyncio.Event()
        self._connected = False
        self._heard_since = 0.0
        self._echoed = 0.0
        # No read timeout: an idle channel is silent, not broken. `listen` reconnects.
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
        """Whether we have listened without a gap for long enough to know what the others know."""
        now = time.monotonic()
        return (
            self._connected
            and now - self._echoed < SILENT_AFTER
            and now - self._heard_since > TOLD_FOR
        )

    async def ping(self) -> None:
        async with asyncio.timeout(LONGEST_PING):
            await self._redis.ping()

    async def close(self) -> None:
        """Send what is still in the queue, because the others would notice it only later."""
        if self._connected and self._outbox:
            with suppress(RedisError, OSError, TimeoutError):
                async with asyncio.timeout(LONGEST_GOODBYE):
                    await self._publish()
        await self._redis.aclose()

    # --- Telling ----------------------------------------------------------------------------

    def tell_actions(self, match_id: str, actions: Iterable[StoredAction]) -> None:
        self._tell("actions", (match_id, list(actions)))

    def tell_changed(self, match_id: str) -> None:
        self._tell("changed", match_id)

    def tell_reaction(self, match_id: str, by: Seat | None, reaction: str) -> None:
        self._tell("reaction", (match_id, by, reaction))

    def tell_presence(self, matches: Mapping[str, tuple[dict[Seat, float], int]]) -> None:
        """Send presence as ages, not times, because each process has a clock of its own."""
        # A presence message still in the queue is outdated, and its ages are too low.
        self._outbox = [message for message in self._outbox if message[0] != "presence"]
        now = time.monotonic()
        told = {
            match_id: ({str(seat): now - at for seat, at in heard.items()}, spectators)
            for match_id, (heard, spectators) in matches.items()
        }
        self._tell("presence", told)

    def tell_listed(self, matches: Sequence[Listed]) -> None:
        """Send the listed matches that are open here."""
        self._outbox = [message for message in self._outbox if message[0] != "listed"]
        self._tell("listed", matches)

    def _tell(self, kind: str, data: Any) -> None:
        if not self._connected:
            return
        if len(self._outbox) >= LONGEST_QUEUE:
            logger.warning("Redis does not keep up; %s messages were dropped", len(self._outbox))
            self._outbox.clear()
        self._outbox.append((kind, data))
        self._something.set()

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            await self._publish()

    async def _publish(self) -> None:
        outbox, self._outbox = self._outbox, []
        try:
            await self._redis.publish(CHANNEL, msgspec.json.encode((self.me, outbox)))
        except asyncio.CancelledError:
            # Perhaps it was sent, but receiving it twice does no harm.
            self._outbox = outbox + self._outbox
            raise

    # --- Listening --------------------------------------------------------------------------

    async def listen(self) -> None:
        """Stay connected for as long as the process runs."""
        pause, is_first = 0.1, True
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    async with asyncio.timeout(SILENT_AFTER):
                        await channel.subscribe(CHANNEL)
                    if not is_first:
                        REDIS_RECONNECTS.inc()
                    pause, is_first = 0.1, False
                    await self._converse(channel)
            except (RedisError, OSError, TimeoutError) as error:
                if self._connected or is_first:
                    reason = str(error) or "no answer"
                    logger.warning("Redis is away (%s); moves go on through the database", reason)
                self._connected = is_first = False
                self._outbox.clear()
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, pause * 2)

    async def _converse(self, channel: PubSub) -> None:
        """Send and receive until the connection breaks or is silent for too long."""
        self._connected = True
        self._begin()
        sender = asyncio.create_task(self._send())
        try:
            while True:
                message = await channel.get_message(
                    ignore_subscribe_messages=True, timeout=SILENT_AFTER
                )
                if sender.done():
                    sender.result()
                if message is not None:
                    self._deliver(message["data"])
                elif time.monotonic() - self._echoed > BROKEN_AFTER:
                    raise TimeoutError("no answer")
        finally:
            sender.cancel()

    def _begin(self) -> None:
        """Note that we receive everything from now on. Earlier messages are lost."""
        self._heard_since = self._echoed = time.monotonic()
        self.heard("back", self.me, None)

    def _deliver(self, data: bytes) -> None:
        who, messages = _decode(data)
        if who == self.me:
            if time.monotonic() - self._echoed > SILENT_AFTER:
                self._begin()
            self._echoed = time.monotonic()
            return
        for kind, content in msgspec.json.decode(messages):
            try:
                self.heard(kind, who, content)
            except Exception:
                logger.exception("A message from another process could not be used")


# We receive our own messages too. Of those we decode only the sender.
_decode = msgspec.json.Decoder(tuple[str, msgspec.Raw]).decode
