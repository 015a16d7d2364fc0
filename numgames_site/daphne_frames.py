"""daphne, with the shortcuts of `games/live/frames.py`: `-m numgames_site.daphne_frames`."""

import asyncio
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from daphne.cli import CommandLineInterface
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from games.live.frames import EXTENSION, Frames, Hear, texts_in
from games.thinking import pool

# A client that has left so many bytes unread is dropped; it comes back and gets a snapshot.
LONGEST_BACKLOG = 1 << 20
# In seconds: from one look for timeouts to the next, and between its parts.
TIMEOUTS_EVERY = 2
CHECKED_EVERY, CHECKED_AT_ONCE = 0.02, 50


class FramesProtocol(WebSocketProtocol):
    hear: Hear | None = None

    def write_frame(self, frame: bytes) -> bool:
        transport = self.transport
        if self.state != self.STATE_OPEN or self.send_queue:
            return False
        if transport.dataBuffer or transport._tempDataLen or transport.disconnecting:
            # Something waits for the network already, and must not be overtaken.
            if transport._tempDataLen > LONGEST_BACKLOG:
                transport.abortConnection()
            else:
                transport.write(frame)
            return True
        # Mostly the system takes all of it at once. Twisted itself would wait for word that the
        # socket can be written to, which costs more than the writing.
        written = transport.writeSomeData(frame)
        if isinstance(written, BaseException):
            transport.abortConnection()
        elif written < len(frame):
            transport.write(frame[written:])
        return True

    def deliver_to(self, hear: Hear) -> None:
        self.hear = hear

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 — Twisted's
        texts = None
        # Before the handshake is done, autobahn has no frames.
        if self.hear is not None and not (self.data or self.current_frame or self.inside_message):
            texts = texts_in(data)
        if texts is None:
            super().dataReceived(data)
            return
        for text in texts:
            self.deliver(text)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 — Twisted's
        if self.hear is None or isBinary:
            super().onMessage(payload, isBinary)
        else:
            self.deliver(payload.decode())

    def deliver(self, text: str) -> None:
        if self.hear is None or self.muted or self.state != self.STATE_OPEN:
            return
        # A message is as good as the answer to a ping.
        self.last_ping = time.time()
        self.hear(text)


class FramesServer(Server):
    """daphne looks at all connections every second or two, and moves wait meanwhile.

    Here it looks at those where something has ended, and for timeouts at some at a time.
    """

    connections: dict[Any, dict[str, Any]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ended: set[Any] = set()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, FramesProtocol):
            frames = Frames(protocol.write_frame, protocol.deliver_to)
            scope.setdefault("extensions", {})[EXTENSION] = frames
        queue = super().create_application(protocol, scope)
        if queue is not None:
            task = self.connections[protocol]["application_instance"]
            task.add_done_callback(lambda _: self._ended.add(protocol))
        return queue

    def protocol_disconnected(self, protocol: Any) -> None:
        super().protocol_disconnected(protocol)
        self._ended.add(protocol)

    def application_checker(self) -> None:
        everyone = self.connections
        ended, self._ended = self._ended & everyone.keys(), set()
        self.connections = {protocol: everyone[protocol] for protocol in ended}
        try:
            super().application_checker()
        finally:
            for protocol in ended:
                if protocol not in self.connections:
                    del everyone[protocol]
                elif "disconnected" in everyone[protocol]:
                    # Its application has not ended yet.
                    self._ended.add(protocol)
            self.connections = everyone

    def timeout_checker(self) -> None:
        self._check_timeouts(iter(list(self.connections)))

    def _check_timeouts(self, protocols: Iterator[Any]) -> None:
        some = list(islice(protocols, CHECKED_AT_ONCE))
        for protocol in some:
            if protocol in self.connections:
                protocol.check_timeouts()
        loop = asyncio.get_running_loop()
        if some:
            loop.call_later(CHECKED_EVERY, self._check_timeouts, protocols)
        else:
            loop.call_later(TIMEOUTS_EVERY, self.timeout_checker)


class FramesCommand(CommandLineInterface):
    server_class = FramesServer


if __name__ == "__main__":
    WebSocketFactory.protocol = FramesProtocol
    try:
        FramesCommand.entrypoint()
    finally:
        pool.end()
