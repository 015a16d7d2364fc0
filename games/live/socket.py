"""One client's socket: something to push texts to that never makes others wait."""

import asyncio
import logging
import time
import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from games.limits import Bucket

logger = logging.getLogger(__name__)

Sending = Coroutine[Any, Any, None]
Send = Callable[[dict[str, Any]], Sending]
WriteFrame = Callable[[bytes], bool]

# How servers say that a client has gone; the consumer hears of it as a disconnect.
GONE = (OSError, RuntimeError)

# A client this far behind is dropped; it comes back and gets a snapshot.
LONGEST_QUEUE = 500
# The longest match has a hundred moves, so not even a program at full speed comes near this.
FLOOD_RATE, FLOOD_BURST = 100, 1000
CATCH_UP_EVERY = 1.0
REACTION_RATE, REACTION_BURST = 0.5, 4


def frame_of(text: str) -> bytes:
    """A text as a server sends it: a websocket's text frame, whole and not masked."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


class Socket:
    __slots__ = (
        *("_caught_up", "_pump", "_send", "_waiting", "_write_frame"),
        *("bucket", "guest_id", "reactions", "you"),
    )

    def __init__(
        self, send: Send, guest_id: int | None, write_frame: WriteFrame | None = None
    ) -> None:
        self._send = send
        self._write_frame = write_frame
        self._waiting: deque[dict[str, Any]] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._caught_up = 0.0
        self.guest_id = guest_id
        # The seats it plays; () for a spectator, None before the first snapshot.
        self.you: tuple[int, ...] | None = None
        self.bucket = Bucket(FLOOD_RATE, FLOOD_BURST)
        self.reactions = Bucket(REACTION_RATE, REACTION_BURST)

    def push(self, text: str) -> None:
        """Send a text when its turn comes."""
        if len(self._waiting) >= LONGEST_QUEUE:
            self._waiting.clear()
            self._put({"type": "websocket.close", "code": 4408})
            return
        self._put({"type": "websocket.send", "text": text})

    def push_to_all(self, text: str, frame: bytes) -> None:
        """The same as `push`, where the text has been made a frame for many sockets."""
        # A frame must not overtake what waits.
        if self._write_frame is None or self._pump is not None or not self._write_frame(frame):
            self.push(text)

    def may_catch_up(self) -> bool:
        """Once a second: what is asked for more often is on its way already."""
        now = time.monotonic()
        if now - self._caught_up < CATCH_UP_EVERY:
            return False
        self._caught_up = now
        return True

    def close(self, code: int) -> None:
        self._put({"type": "websocket.close", "code": code})

    async def sent(self) -> None:
        """Wait until everything pushed has been handed to the server."""
        if self._pump is not None:
            await self._pump

    def _put(self, message: dict[str, Any]) -> None:
        if self._pump is not None:
            self._waiting.append(message)
            return
        # Servers mostly take a message without waiting. A task for each one would cost more than
        # the sending, so only what has to wait gets one.
        sending = self._send(message)
        try:
            future = sending.send(None)
        except StopIteration:
            return
        except GONE:
            return
        except Exception:
            # One socket's trouble must not keep the others from their message.
            logger.exception("A message could not be sent")
            return
        self._pump = asyncio.get_running_loop().create_task(self._run(sending, future))

    async def _run(self, sending: Sending, future: Any) -> None:
        try:
            await _rest(sending, future)
            while self._waiting:
                await self._send(self._waiting.popleft())
        except GONE:
            self._waiting.clear()
        finally:
            self._pump = None


@types.coroutine
def _rest(sending: Sending, future: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine that has begun and waits for this future."""
    try:
        while True:
            try:
                value = yield future
            except BaseException as error:
                future = sending.throw(error)
            else:
                future = sending.send(value)
    except StopIteration:
        return
