"""The relay: one Redis channel on which every process tells the others what it has committed.

If a message is lost here, no move is lost: the other processes notice by `version`, or when they
compare with the database. All messages of one round of the event loop go out together.
"""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.live.listing import Listed
from games.live.metrics import REDIS_RECONNECTS
from games.live.presence import TOLD_FOR
from games.live.redis_channel import RedisChannel
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
LONGEST_PING = 2.0

Heard = Callable[[str, str, Any], None]


class Relay:
    def __init__(self, url: str, heard: Heard) -> None:
        self.me = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.heard = heard
        self._outbox: list[tuple[str, Any]] = []
        self._is_sending = False
        # While we are subscribed.
        self._channel: RedisChannel | None = None
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
            protocol=3,
        )

    @classmethod
    def from_settings(cls, heard: Heard) -> "Relay | None":
        return cls(settings.REDIS_URL, heard) if settings.REDIS_URL else None

    @property
    def is_settled(self) -> bool:
        """Whether we have listened without a gap for long enough to know what the others know."""
        now = time.monotonic()
        return (
            self._channel is not None
            and now - self._echoed < SILENT_AFTER
            and now - self._heard_since > TOLD_FOR
        )

    async def ping(self) -> None:
        async with asyncio.timeout(LONGEST_PING):
            await self._redis.ping()

    async def close(self) -> None:
        """Send what is still in the queue, because the others would notice it only later."""
        if self._channel is not None:
            self._send()
            await self._channel.close()
            self._channel = None
        await self._redis.aclose()

    # --- Telling ----------------------------------------------------------------------------

    def tell_actions(self, match_id: str, actions: Iterable[StoredAction]) -> None:
        self._tell("actions", (match_id, list(actions)))

    def tell_changed(self, match_id: str) -> None:
        self._tell("changed", match_id)

    def tell_concern(self, match_id: str, guests: tuple[int, ...]) -> None:
        self._tell("concern", (match_id, guests))

    def tell_guest(self, guest_id: int) -> None:
        self._tell("guest", guest_id)

    def tell_signed_out(self, guest_id: int, mask: int) -> None:
        self._tell("signed_out", (guest_id, mask))

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

    def tell_where(self, guest_ids: Sequence[int]) -> None:
        """Ask the others which of these guests are connected to them."""
        self._tell("where", guest_ids)

    def tell_here(self, guest_ids: Sequence[int]) -> None:
        """Answer that these guests are connected here."""
        self._tell("here", guest_ids)

    def _tell(self, kind: str, data: Any) -> None:
        if self._channel is None:
            return
        if len(self._outbox) >= LONGEST_QUEUE:
            logger.warning("Redis does not keep up; %s messages were dropped", len(self._outbox))
            self._outbox.clear()
        self._outbox.append((kind, data))
        if not self._is_sending:
            self._is_sending = True
            asyncio.get_running_loop().call_soon(self._send)

    def _send(self) -> None:
        """Send what is queued as one message, unless Redis has too much to read already."""
        self._is_sending = False
        if self._outbox and self._channel is not None and not self._channel.is_full:
            outbox, self._outbox = self._outbox, []
            self._channel.publish(msgspec.json.encode((self.me, outbox)))

    # --- Listening --------------------------------------------------------------------------

    async def listen(self) -> None:
        """Stay connected for as long as the process runs."""
        pause, is_first = 0.1, True
        while True:
            channel = RedisChannel(CHANNEL, self._deliver, self._send)
            try:
                async with asyncio.timeout(SILENT_AFTER):
                    await channel.open(self._redis)
                if not is_first:
                    REDIS_RECONNECTS.inc()
                pause, is_first = 0.1, False
                self._channel = channel
                self._begin()
                await self._until_lost(channel)
            except (RedisError, OSError, TimeoutError) as error:
                if self._channel is not None or is_first:
                    reason = str(error) or "no answer"
                    logger.warning("Redis is away (%s); moves go on through the database", reason)
                self._channel, is_first = None, False
                self._outbox.clear()
                await channel.abort()
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, pause * 2)

    async def _until_lost(self, channel: RedisChannel) -> None:
        """Wait until the connection breaks or is silent for too long, and raise the reason."""
        while time.monotonic() - self._echoed <= BROKEN_AFTER:
            await asyncio.wait((channel.lost,), timeout=SILENT_AFTER)
            if channel.lost.done():
                raise channel.lost.result()
        raise TimeoutError("no answer")

    def _begin(self) -> None:
        """Note that we receive everything from now on. Earlier messages are lost."""
        self._heard_since = self._echoed = time.monotonic()
        self.heard("back", self.me, None)

    def _deliver(self, data: bytes) -> None:
        try:
            who, messages = _decode(data)
        except msgspec.MsgspecError:
            logger.warning("A message on the Redis channel is not ours")
            return
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
