"""A Redis channel that the event loop reads and writes, without a task or a wait for a message.

redis-py connects, because it knows about addresses, passwords and TLS. Then the connection is ours.
It uses RESP3, the protocol in which one connection can subscribe and publish.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import redis.asyncio
from redis.exceptions import InvalidResponse, RedisError

# In seconds, for what is still to be sent when a connection is closed.
LONGEST_GOODBYE = 0.5

Reply = Any
Heard = Callable[[bytes], None]


class Incomplete(Exception):
    """The rest of a reply hasn't arrived yet."""


class RedisChannel(asyncio.Protocol):
    """One connection that is subscribed to one channel. It is used once: after a loss, open a new
    one."""

    def __init__(self, name: str, heard: Heard, drained: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self._name, self._heard, self._drained = name.encode(), heard, drained
        self._subscribed: asyncio.Future[None] = loop.create_future()
        # Done when the connection is lost; its result is the reason.
        self.lost: asyncio.Future[Exception] = loop.create_future()
        # Whether Redis reads more slowly than we write. `drained` is called when it has caught up.
        self.is_full = False
        self._unread = b""
        self._connection: Any = None
        self._transport: asyncio.Transport | None = None

    async def open(self, client: "redis.asyncio.Redis") -> None:
        """Connect and subscribe."""
        pool: Any = client.connection_pool
        self._connection = pool.make_connection()
        try:
            await self._connection.connect()
            # Redis has answered everything so far, and sends no more before we subscribe.
            self._transport = self._connection._writer.transport
            self._transport.set_protocol(self)
            self._transport.write(command(b"SUBSCRIBE", self._name))
            either = (self._subscribed, self.lost)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self.lost.done():
                raise self.lost.result()
        except BaseException:
            await self.abort()
            raise

    def publish(self, message: bytes) -> None:
        assert self._transport is not None
        self._transport.write(command(b"PUBLISH", self._name, message))

    async def close(self) -> None:
        """Send what has been published, and close the connection."""
        if self._transport is not None:
            self._transport.close()
            await asyncio.wait((self.lost,), timeout=LONGEST_GOODBYE)
        await self.abort()

    async def abort(self) -> None:
        """Close the connection at once, even if Redis doesn't answer."""
        if self._transport is not None:
            self._transport.abort()
        if self._connection is not None:
            await self._connection.disconnect(nowait=True)

    # --- Called by the event loop -----------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        data, at = self._unread + data, 0
        try:
            while at < len(data):
                reply, at = read_reply(data, at)
                self._take(reply)
        except Incomplete:
            pass
        except RedisError as error:
            self._lose(error)
        except ValueError as error:
            self._lose(InvalidResponse(str(error)))
        self._unread = data[at:]

    def connection_lost(self, error: Exception | None) -> None:
        self._lose(error or ConnectionError("the connection was closed"))

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self.is_full = False
        self._drained()

    def _take(self, reply: Reply) -> None:
        # A number is the answer to a message that we published.
        if type(reply) is list and reply:
            if reply[0] == b"message":
                self._heard(reply[2])
            elif reply[0] == b"subscribe" and not self._subscribed.done():
                self._subscribed.set_result(None)

    def _lose(self, error: Exception) -> None:
        if not self.lost.done():
            self.lost.set_result(error)


def command(*words: bytes) -> bytes:
    """Return a command as Redis reads it."""
    return b"*%d\r\n%b" % (len(words), b"".join(b"$%d\r\n%b\r\n" % (len(w), w) for w in words))


def read_reply(data: bytes, at: int) -> tuple[Reply, int]:
    """Return the reply that begins here, and where it ends.

    Raises `Incomplete` if its end isn't there yet, and `RedisError` if the reply is an error.
    """
    line_end = data.find(b"\r\n", at)
    if line_end < 0:
        raise Incomplete
    kind, line, at = data[at : at + 1], data[at + 1 : line_end], line_end + 2
    if kind == b"$":
        return read_text(data, at, int(line))
    if kind in b"*>":
        replies = []
        for _ in range(int(line)):
            reply, at = read_reply(data, at)
            replies.append(reply)
        return replies, at
    if kind == b"-":
        raise RedisError(line.decode(errors="replace"))
    return line, at


def read_text(data: bytes, at: int, length: int) -> tuple[bytes | None, int]:
    if length < 0:
        return None, at
    end = at + length
    if len(data) < end + 2:
        raise Incomplete
    return data[at:end], end + 2
