"""Websockets on daphne: subclasses of its protocol that count frames, and that have the fast path.

daphne is built on autobahn, which is built on Twisted. `check.py` lists what this uses of each.
"""

import time
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Server as TcpTransport

from games.live.frames import EXTENSION, METER, Frames, Hear
from games.live.frames.codec import texts_in
from games.live.meter import TOO_LONG, Meter

# Drop a client that has left this many bytes unread. It reconnects and gets a snapshot.
LONGEST_BACKLOG = 1 << 20


class MeteredProtocol(WebSocketProtocol):
    meter: Meter | None = None
    is_gone = False
    # The HTTP connection that has become this websocket. Twisted still uses it as a producer.
    channel: Any = None

    def asgi_extensions(self) -> dict[str, Any]:
        return {METER: self.meter}

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 — Twisted's name
        if self.meter is None:
            # daphne has read the handshake, and passes it on first, with a body if it had one.
            self.meter = Meter(lambda code: self.transport.abortConnection())
            head, end, body = data.partition(b"\r\n\r\n")
            super().dataReceived(head + end)
            if body:
                self.dataReceived(body)
        elif self.meter.admits(data):
            super().dataReceived(data)
        else:
            self.stop_reading()

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802 — daphne's name
        if code == TOO_LONG:
            # `sendClose` doesn't allow an application to send it.
            self.sendCloseFrame(code)
        else:
            super().serverClose(code)
        if self.meter is not None and not self.meter.is_over:
            # A client that was refused must not keep its connection until it answers the close.
            self.dropConnection()

    def onClose(self, *reason: Any) -> None:  # noqa: N802 — autobahn's name
        super().onClose(*reason)
        self.is_gone = True

    def forget(self) -> None:
        """Let go of everything once nobody needs it. It would have to wait for the collector."""
        if self.is_gone:
            if self.channel is not None:
                self.channel.__dict__.clear()
            self.__dict__.clear()

    def stop_reading(self) -> None:
        # The client may still be sending, so give it a moment to read why: after a second, autobahn
        # drops the connection.
        self.transport.pauseProducing()


class FramesProtocol(MeteredProtocol):
    hear: Hear | None = None

    def asgi_extensions(self) -> dict[str, Any]:
        offered = super().asgi_extensions()
        # A TLS connection has another kind of transport, which must encrypt every byte.
        if isinstance(self.transport, TcpTransport):
            offered[EXTENSION] = Frames(self.write_frame, self.deliver_to)
        return offered

    def write_frame(self, frame: bytes) -> bool:
        transport = self.transport
        if self.state != self.STATE_OPEN or self.send_queue:
            return False
        if transport.dataBuffer or transport._tempDataLen or transport.disconnecting:
            # Something is already waiting for the network. Queue behind it, to keep the order.
            if transport._tempDataLen > LONGEST_BACKLOG:
                transport.abortConnection()
            else:
                transport.write(frame)
            return True
        # The kernel usually takes all of it at once. Twisted's own `write` would first wait until
        # the event loop reports the socket as writable, which costs more than the write itself.
        written = transport.writeSomeData(frame)
        if isinstance(written, BaseException):
            transport.abortConnection()
        elif written < len(frame):
            transport.write(frame[written:])
        return True

    def deliver_to(self, hear: Hear) -> None:
        self.hear = hear

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 — Twisted's name
        meter = self.meter
        texts = None
        if meter is not None and self.hear is not None and meter.at_frame_start:
            texts = texts_in(data)
        if meter is None or texts is None:
            super().dataReceived(data)
        elif meter.admits_frames(len(texts), len(data)):
            for text in texts:
                self.deliver(text)
        else:
            self.stop_reading()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 — autobahn's
        if self.hear is None or isBinary:
            super().onMessage(payload, isBinary)
        else:
            self.deliver(payload.decode())

    def deliver(self, text: str) -> None:
        if self.hear is None or self.muted or self.state != self.STATE_OPEN:
            return
        # Like a pong, a message shows that the client is there.
        self.last_ping = time.time()
        self.hear(text)
