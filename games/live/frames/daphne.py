"""The fast path on daphne: a subclass of its websocket protocol.

daphne is built on autobahn, which is built on Twisted. `check.py` lists what this uses of each.
"""

import time
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Server as TcpTransport

from games.live.frames import EXTENSION, Frames, Hear
from games.live.frames.codec import texts_in

# Drop a client that has left this many bytes unread. It reconnects and gets a snapshot.
LONGEST_BACKLOG = 1 << 20


class FramesProtocol(WebSocketProtocol):
    hear: Hear | None = None

    def asgi_extensions(self) -> dict[str, Any]:
        # A TLS connection has another kind of transport, which must encrypt every byte.
        if not isinstance(self.transport, TcpTransport):
            return {}
        return {EXTENSION: Frames(self.write_frame, self.deliver_to)}

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
        texts = None
        # `hear` is set after the handshake, so autobahn's frame parser has its attributes by then.
        if self.hear is not None and not (self.data or self.current_frame or self.inside_message):
            texts = texts_in(data)
        if texts is None:
            super().dataReceived(data)
            return
        for text in texts:
            self.deliver(text)

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
