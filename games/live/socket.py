"""One client's socket. Pushing a text to it never waits and never fails."""

import asyncio
import logging
import time
import types
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from typing import Any

from games.live.frames import Frames, Hear, frame_of
from games.live.meter import BURST, Meter
from games.matches.limits import Bucket

logger = logging.getLogger(__name__)

Sending = Coroutine[Any, Any, None]
Send = Callable[[dict[str, Any]], Sending]

# Servers raise these when a client has gone. The consumer also gets a disconnect.
GONE = (OSError, RuntimeError)

# A client this far behind is disconnected. It reconnects and gets a snapshot.
LONGEST_QUEUE = 500
CATCH_UP_EVERY = 1.0
REACTION_RATE, REACTION_BURST = 0.5, 4


class Socket:
    __slots__ = (
        *("_caught_up", "_early", "_frames", "_pump", "_send", "_waiting"),
        *("address", "guest_id", "meter", "reactions", "you"),
    )

    def __init__(
        self,
        send: Send,
        guest_id: int | None,
        frames: Frames | None = None,
        address: str = "",
        meter: Meter | None = None,
    ) -> None:
        self._send = send
        self._frames = frames
        self._early: list[str] = []
        # A list, because most sockets never wait, and an empty deque uses more memory than the
        # rest of the socket.
        self._waiting: list[dict[str, Any]] = []
        self._pump: asyncio.Task[None] | None = None
        self._caught_up = 0.0
        self.guest_id, self.address = guest_id, address
        # The seats this socket plays: () for a spectator, None before the first snapshot.
        self.you: tuple[int, ...] | None = None
        # What the client sends is counted by the server or, if it can't, by the consumer.
        self.meter = meter or Meter()
        self.meter.guest_id, self.meter.address = guest_id, address
        self.reactions = Bucket(REACTION_RATE, REACTION_BURST)

    def push(self, text: str, frame: bytes | None = None) -> None:
        """Send a text after those already waiting; `frame` is the same text as a frame.

        Never raises, so that a failing socket doesn't affect the others.
        """
        # A frame must not overtake messages that are still waiting.
        if self._frames is not None and self._pump is None:
            try:
                if self._frames.write(frame or frame_of(text)):
                    return
            except Exception:
                self._stop_using_frames()
        if len(self._waiting) >= LONGEST_QUEUE:
            self._waiting.clear()
            self._put({"type": "websocket.close", "code": 4408})
            return
        self._put({"type": "websocket.send", "text": text})

    def push_together(self, texts: Sequence[str], frames: bytes) -> None:
        """Send several texts at once; `frames` are all of them as frames. Never raises."""
        if self._frames is not None and self._pump is None:
            try:
                if self._frames.write(frames):
                    return
            except Exception:
                self._stop_using_frames()
        for text in texts:
            self.push(text)

    def _stop_using_frames(self) -> None:
        logger.exception("Writing a frame failed; this socket uses plain ASGI from now on")
        self._frames = None

    def keep_texts(self) -> None:
        """Keep texts until `hand_texts_to`. Call this before any text can arrive."""
        if self._frames is not None:
            self._frames.deliver_to(self._keep)

    def _keep(self, text: str) -> None:
        # The meter stops a client before there are more.
        if len(self._early) <= BURST:
            self._early.append(text)

    def hand_texts_to(self, hear: Hear) -> None:
        """Hand over the kept texts. If the server supports it, all later ones go there too."""
        early, self._early = self._early, []
        for text in early:
            hear(text)
        if self._frames is not None:
            self._frames.deliver_to(hear)

    def may_catch_up(self) -> bool:
        """Allow one snapshot a second. More would only repeat the first."""
        now = time.monotonic()
        if now - self._caught_up < CATCH_UP_EVERY:
            return False
        self._caught_up = now
        return True

    def close(self, code: int) -> None:
        self._put({"type": "websocket.close", "code": code})

    async def sent(self) -> None:
        """Wait until the server has taken everything that was pushed."""
        if self._pump is not None:
            await self._pump

    def _put(self, message: dict[str, Any]) -> None:
        if self._pump is not None:
            self._waiting.append(message)
            return
        # Servers usually take a message at once. A task for each would cost more than sending it,
        # so only a message that has to wait gets one.
        try:
            sending = self._send(message)
            future = sending.send(None)
        except StopIteration:
            return
        except GONE:
            return
        except Exception:
            logger.exception("A message could not be sent")
            return
        self._pump = asyncio.get_running_loop().create_task(self._run(sending, future))

    async def _run(self, sending: Sending, future: Any) -> None:
        try:
            await _rest(sending, future)
            while self._waiting:
                await self._send(self._waiting.pop(0))
        except GONE:
            self._waiting.clear()
        except Exception:
            logger.exception("A message could not be sent")
            self._waiting.clear()
        finally:
            self._pump = None


def push_to(sockets: Iterable[Socket], text: str, frame: bytes | None = None) -> None:
    """Send a text to many sockets. If one of them fails, the others still get it."""
    for socket in sockets:
        try:
            socket.push(text, frame)
        except Exception:
            logger.exception("A message could not be sent")


@types.coroutine
def _rest(sending: Sending, future: Any) -> Generator[Any, Any, None]:
    """Continue a coroutine that has started and is waiting for this future."""
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
