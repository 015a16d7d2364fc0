"""daphne, with the shortcuts of `games/live/frames.py`: `python -m numgames_site.daphne_frames`."""

import time
from typing import Any

from daphne.cli import CommandLineInterface
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from games.live.frames import EXTENSION, Frames, Hear

# A client that has left so many bytes unread is dropped; it comes back and gets a snapshot.
LONGEST_BACKLOG = 1 << 20


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

    def deliver_to(self, hear: Hear | None) -> None:
        self.hear = hear

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803 — Twisted's
        if self.hear is None or isBinary or self.muted:
            super().onMessage(payload, isBinary)
            return
        # A message is as good as the answer to a ping.
        self.last_ping = time.time()
        self.hear(payload.decode())


class FramesServer(Server):
    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, FramesProtocol):
            frames = Frames(protocol.write_frame, protocol.deliver_to)
            scope.setdefault("extensions", {})[EXTENSION] = frames
        return super().create_application(protocol, scope)


class FramesCommand(CommandLineInterface):
    server_class = FramesServer


if __name__ == "__main__":
    WebSocketFactory.protocol = FramesProtocol
    FramesCommand.entrypoint()
