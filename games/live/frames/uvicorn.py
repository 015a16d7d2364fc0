"""Websockets on uvicorn: subclasses of its protocol that count frames, and that have the fast path.

uvicorn leaves parsing to the websockets package. `check.py` lists what this uses of each.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.live.frames import EXTENSION, METER, Frames, Gone, Hear, Held
from games.live.frames.codec import texts_in
from games.live.frames.held import DROP_AFTER, HeldSocket, Rounds
from games.live.meter import Meter


class HandedOver(asyncio.Transport):
    """Stands for a connection that somebody else has taken over."""

    def is_closing(self) -> bool:
        return True

    def close(self) -> None:
        pass


HANDED_OVER = HandedOver()


class MeteredProtocol(WebSocketsSansIOProtocol):
    meter: Meter | None = None

    def asgi_extensions(self) -> dict[str, Any]:
        return {METER: self.meter}

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        # The application starts after this. A rejected handshake has no scope.
        if scope := getattr(self, "scope", None):
            self.meter = Meter(lambda code: self.transport.abort())
            extensions: dict[str, Any] = scope["extensions"]
            extensions.update(self.asgi_extensions())

    def data_received(self, data: bytes) -> None:
        if self.meter is None or self.meter.admits(data):
            super().data_received(data)
        else:
            self.stop_reading()

    def stop_reading(self) -> None:
        self.transport.pause_reading()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        if self.meter is not None and not self.meter.is_over:
            # A client that was refused must not keep its connection until it answers the close.
            self.transport.close()
        self.loop.call_later(DROP_AFTER, self.transport.abort)


class FramesProtocol(MeteredProtocol):
    hear: Hear | None = None
    heard_since_ping = False
    is_held = False
    rounds: Rounds | None = None

    def asgi_extensions(self) -> dict[str, Any]:
        frames = Frames(self.write_frame, self.deliver_to, self.hold)
        return {**super().asgi_extensions(), EXTENSION: frames}

    def write_frame(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def deliver_to(self, hear: Hear) -> None:
        self.hear = hear

    def hold(self, gone: Gone) -> Held | None:
        """Hand the connection to a `HeldSocket`, unless something is on its way through uvicorn."""
        meter, hear, transport = self.meter, self.hear, self.transport
        if meter is None or hear is None or not meter.at_frame_start or meter.is_over:
            return None
        if self.close_sent or self.disconnected or transport.is_closing():
            return None
        if self.read_paused or not self.writable.is_set() or not self.queue.empty():
            return None
        self.stop_keepalive()
        self.connections.discard(self)
        self.is_held = True
        # When the application returns, uvicorn closes what it believes to be the connection.
        self.transport = HANDED_OVER
        return HeldSocket(transport, meter, hear, gone, self.connections, self.shared_rounds())

    def shared_rounds(self) -> Rounds | None:
        """Return the rounds of all held sockets, at the interval of uvicorn's pings."""
        if FramesProtocol.rounds is None and self.ping_interval:
            FramesProtocol.rounds = Rounds(self.ping_interval)
        return FramesProtocol.rounds

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        if self.is_held:
            WebSocketsSansIOProtocol.on_task_complete(self, task)
            # The parser and this object refer to themselves, and would wait for the collector.
            self.conn.parser.close()
            self.__dict__.clear()
        else:
            super().on_task_complete(task)

    def data_received(self, data: bytes) -> None:
        meter, hear = self.meter, self.hear
        texts = None
        if meter is not None and hear is not None and meter.at_frame_start:
            texts = texts_in(data)
        if meter is None or hear is None or texts is None:
            super().data_received(data)
        elif meter.admits_frames(len(texts), len(data)):
            for text in texts:
                self.deliver(hear, text)
        else:
            self.stop_reading()

    def handle_text(self, event: Any) -> None:
        if self.hear is None or not event.fin:
            super().handle_text(event)
            return
        try:
            text = event.data.decode()
        except UnicodeDecodeError:
            # uvicorn closes the socket with the right code.
            super().handle_text(event)
            return
        self.deliver(self.hear, text)

    def deliver(self, hear: Hear, text: str) -> None:
        self.heard_since_ping = True
        if not self.close_sent:
            hear(text)

    def send_keepalive_ping(self) -> None:
        # Skip the ping for clients we just heard from.
        if self.heard_since_ping and not self.close_sent:
            self.heard_since_ping = False
            self.last_ping_rtt = 0.0
            self.schedule_ping()
        else:
            super().send_keepalive_ping()
