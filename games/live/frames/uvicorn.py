"""Websockets on uvicorn: subclasses of its protocol that count frames, and that have the fast path.

uvicorn leaves parsing to the websockets package. `check.py` lists what this uses of each.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.live.frames import EXTENSION, METER, Frames, Hear
from games.live.frames.codec import texts_in
from games.live.meter import Meter

# A client that was sending too much, or doesn't read the close, is dropped after this many seconds.
DROP_AFTER = 1.0


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

    def asgi_extensions(self) -> dict[str, Any]:
        frames = Frames(self.write_frame, self.deliver_to)
        return {**super().asgi_extensions(), EXTENSION: frames}

    def write_frame(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def deliver_to(self, hear: Hear) -> None:
        self.hear = hear

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
