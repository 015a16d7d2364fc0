"""One client's socket. Pushing a text to it never waits and never fails."""

import asyncio
import logging
import time
import types
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from typing import Any

from games.live.frames import Frames, Gone, Hear, Held, frame_of
from games.live.meter import BURST, Meter
from games.matches.identity import Who
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
        *("_caught_up", "_early", "_frames", "_held", "_pump", "_reactions", "_send"),
        *("_waiting", "address", "device", "guest_id", "meter", "you"),
    )

    def __init__(
        self,
        send: Send,
        guest_id: int | None,
        frames: Frames | None = None,
        address: str = "",
        meter: Meter | None = None,
        device: int = 0,
    ) -> None:
        self._send: Send | None = send
        self._held: Held | None = None
        self._frames: Frames | Held | None = frames
        # There are thousands of sockets, and most never need these.
        self._early: list[str | None] | None = None
        self._waiting: list[dict[str, Any]] | None = None
        self._reactions: Bucket | None = None
        self._pump: asyncio.Task[None] | None = None
        self._caught_up = 0.0
        self.guest_id, self.device, self.address = guest_id, device, address
        # The seats this socket plays: () for a spectator, None before the first snapshot.
        self.you: tuple[int, ...] | None = None
        # What the client sends is counted by the server or, if it can't, by the consumer.
        self.meter = meter or Meter()
        self.meter.guest_id, self.meter.address = guest_id, address

    @property
    def who(self) -> Who | None:
        return None if self.guest_id is None else Who(self.guest_id, self.device)

    def may_react(self) -> bool:
        if self._reactions is None:
            self._reactions = Bucket(REACTION_RATE, REACTION_BURST)
        return self._reactions.take()

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
        if self._waiting is not None and len(self._waiting) >= LONGEST_QUEUE:
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
        if isinstance(self._frames, Frames):
            self._early = []
            self._frames.deliver_to(self._keep)

    def _keep(self, text: str | None) -> None:
        # The meter stops a client before there are more.
        if self._early is not None and len(self._early) <= BURST:
            self._early.append(text)

    def hand_texts_to(self, hear: Hear) -> None:
        """Hand over the kept texts. If the server supports it, all later ones go there too."""
        early, self._early = self._early or (), None
        for text in early:
            hear(text)
        if isinstance(self._frames, Frames):
            self._frames.deliver_to(hear)

    def hold(self, gone: Gone) -> bool:
        """Keep the socket open without its coroutine; `gone` is called when it has closed.

        Returns False if the server can't do that, or not now.
        """
        if not isinstance(self._frames, Frames) or self._pump is not None:
            return False
        held = self._frames.hold(gone)
        if held is None:
            return False
        # The server's own `send` would keep everything alive that the handshake needed.
        self._frames, self._held, self._send = held, held, None
        return True

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
            if self._waiting is None:
                self._waiting = []
            self._waiting.append(message)
            return
        # Servers usually take a message at once. A task for each would cost more than sending it,
        # so only a message that has to wait gets one.
        try:
            sending = self._sending(message)
            future = sending.send(None)
        except StopIteration:
            return
        except GONE:
            return
        except Exception:
            logger.exception("A message could not be sent")
            return
        self._pump = asyncio.get_running_loop().create_task(self._run(sending, future))

    def _sending(self, message: dict[str, Any]) -> Sending:
        if self._send is not None:
            return self._send(message)
        assert self._held is not None
        return self._held.send(message)

    async def _run(self, sending: Sending, future: Any) -> None:
        try:
            await _rest(sending, future)
            while self._waiting:
                await self._sending(self._waiting.pop(0))
        except GONE:
            pass
        except Exception:
            logger.exception("A message could not be sent")
        finally:
            self._waiting = self._pump = None


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
