"""A websocket on uvicorn after its handshake, in as few objects as possible.

uvicorn keeps a task, a queue, a parser and a timer for every socket, and most sockets are silent
most of the time. So once an application has accepted a socket and wants to keep it, a `HeldSocket`
takes its connection over: one object, which creates a parser only for what isn't a short text, and
which shares one timer with all others.
"""

import asyncio
from typing import Any

from websockets.frames import Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from games.live.frames import Gone, Hear, frame_of
from games.live.frames.codec import texts_in
from games.live.frames.counter import LONGEST_MESSAGE
from games.live.meter import Meter

PING = b"\x89\x00"
# Close codes.
SERVICE_RESTART, NO_ANSWER, NOT_UTF8 = 1012, 1011, 1007
# A client that was sending too much, or doesn't read the close, is dropped after this many seconds.
DROP_AFTER = 1.0
# The sockets are looked at in this many groups, one after the other.
GROUPS = 200


class Rounds:
    """Looks at every held socket at this interval, a few at a time, with one timer for all."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._groups: list[set[HeldSocket]] = [set() for _ in range(GROUPS)]
        self._next = self._turn = 0
        self._is_running = False

    def add(self, held: "HeldSocket") -> None:
        held.group = self._groups[self._next]
        held.group.add(held)
        self._next = (self._next + 1) % GROUPS
        if not self._is_running:
            self._is_running = True
            self._wait()

    def _wait(self) -> None:
        asyncio.get_running_loop().call_later(self.seconds / GROUPS, self._go_on)

    def _go_on(self) -> None:
        self._turn = (self._turn + 1) % GROUPS
        for held in tuple(self._groups[self._turn]):
            held.look()
        self._is_running = any(self._groups)
        if self._is_running:
            self._wait()


class Parser:
    """Parses what isn't a short text: long and fragmented messages, pings, pongs, a close."""

    __slots__ = ("_is_text", "_parts", "protocol")

    def __init__(self) -> None:
        self.protocol = ServerProtocol(state=State.OPEN, max_size=LONGEST_MESSAGE)
        self._parts: list[bytes] = []
        self._is_text = False

    @property
    def is_open(self) -> bool:
        return self.protocol.state is State.OPEN

    def read(self, data: bytes) -> list[str | None]:
        """Return the complete messages; None stands for binary data."""
        self.protocol.receive_data(data)
        messages: list[str | None] = []
        for frame in self.protocol.events_received():
            # Without extensions and before any handshake of its own, these are always frames.
            opcode = getattr(frame, "opcode", None)
            if opcode in (Opcode.TEXT, Opcode.BINARY):
                self._is_text, self._parts = opcode is Opcode.TEXT, []
            elif opcode is not Opcode.CONT:
                continue
            self._parts.append(bytes(frame.data))  # type: ignore[union-attr]
            if frame.fin:  # type: ignore[union-attr]
                whole, self._parts = b"".join(self._parts), []
                try:
                    messages.append(whole.decode() if self._is_text else None)
                except UnicodeDecodeError:
                    self.protocol.fail(NOT_UTF8)
                    break
        return messages

    def to_send(self) -> bytes:
        return b"".join(self.protocol.data_to_send())


class HeldSocket(asyncio.Protocol):
    __slots__ = (
        *("_gone", "_hear", "_is_paused", "_parser", "_waiting", "connections", "group"),
        *("has_pinged", "is_closing", "is_heard", "meter", "transport"),
    )

    def __init__(
        self,
        transport: Any,
        meter: Meter,
        hear: Hear,
        gone: Gone,
        connections: set[Any],
        rounds: Rounds | None,
    ) -> None:
        self.transport, self.meter, self.connections = transport, meter, connections
        self._hear = hear
        self._gone: Gone | None = gone
        self._parser: Parser | None = None
        self._is_paused = False
        # Whoever waits until the client has read enough.
        self._waiting: asyncio.Future[None] | None = None
        self.is_heard, self.has_pinged, self.is_closing = True, False, False
        self.group: set[HeldSocket] | None = None
        connections.add(self)
        if rounds is not None:
            rounds.add(self)
        transport.set_protocol(self)

    # --- Reading ----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        meter = self.meter
        self.is_heard = True
        # Without a parser, the next byte starts a frame.
        texts = texts_in(data) if self._parser is None else None
        if texts is None:
            if meter.admits(data):
                self._parse(data)
            else:
                self.transport.pause_reading()
        elif meter.admits_frames(len(texts), len(data)):
            hear = self._hear
            for text in texts:
                if not self.is_closing:
                    hear(text)
        else:
            self.transport.pause_reading()

    def _parse(self, data: bytes) -> None:
        if self.is_closing:
            return
        parser = self._parser = self._parser or Parser()
        for text in parser.read(data):
            if not self.is_closing:
                self._hear(text)
        if self.is_closing:
            return
        if answer := parser.to_send():
            self.transport.write(answer)
        if not parser.is_open:
            self._end()
        elif self.meter.at_frame_start:
            # The next frame needs nothing of this one.
            self._parser = None

    def eof_received(self) -> None:
        return

    # --- Writing ----------------------------------------------------------------------------

    def write(self, frame: bytes) -> bool:
        if self._is_paused or self.is_closing or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    async def send(self, message: dict[str, Any]) -> None:
        """Send or close, as an ASGI server would; wait for clients that read slowly."""
        while self._is_paused and self._gone is not None:
            if self._waiting is None:
                self._waiting = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._waiting)
        if self.is_closing or self.transport.is_closing():
            raise ConnectionError("The socket is closed.")
        if message["type"] == "websocket.send":
            self.transport.write(frame_of(message["text"]))
        else:
            self.close(message["code"])

    def pause_writing(self) -> None:
        self._is_paused = True

    def resume_writing(self) -> None:
        self._is_paused = False
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None:
            self._waiting.set_result(None)
            self._waiting = None

    # --- Ending -----------------------------------------------------------------------------

    def look(self) -> None:
        """Ping a client that has been silent since the last round; drop it if it was pinged."""
        if self.is_closing:
            return
        if self.is_heard:
            self.is_heard = self.has_pinged = False
        elif self.has_pinged:
            self.close(NO_ANSWER)
        else:
            self.has_pinged = True
            self.write(PING)

    def close(self, code: int) -> None:
        parser = self._parser or Parser()
        parser.protocol.send_close(code, "")
        self.transport.write(parser.to_send())
        self._end()

    def shutdown(self) -> None:
        """uvicorn stops."""
        if not self.is_closing and not self.transport.is_closing():
            self.close(SERVICE_RESTART)

    def _end(self) -> None:
        self.is_closing = True
        if not self.meter.is_over:
            # A client must not keep its connection until it answers the close.
            self.transport.close()
        loop = asyncio.get_running_loop()
        loop.call_later(DROP_AFTER, self.transport.abort)
        # The caller may be going through the sockets of a match.
        loop.call_soon(self._leave)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_closing = True
        self.connections.discard(self)
        self._leave()
        self._wake()

    def _leave(self) -> None:
        """Tell the application, and let go of it: nothing here should wait for the collector."""
        if self.group is not None:
            self.group.discard(self)
        gone, self._gone = self._gone, None
        if gone is not None:
            gone()
        self._hear, self._parser, self.meter.refuse = _ignore, None, None


def _ignore(text: str | None) -> None:
    """Nobody listens any more."""
