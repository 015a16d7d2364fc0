"""The fast path on uvicorn: a subclass of its websocket protocol.

uvicorn leaves parsing to the websockets package. `check.py` lists what this uses of each.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.live.frames import EXTENSION, Frames, Hear
from games.live.frames.codec import is_ping_or_pong, texts_in


class FramesProtocol(WebSocketsSansIOProtocol):
    hear: Hear | None = None
    # Whether only complete frames have arrived since the handshake, so that the next data starts
    # with a frame. Once that is in doubt, uvicorn's own parser gets everything from then on.
    at_frame_start = False
    heard_since_ping = False

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        # The application starts after this. A rejected handshake has no scope.
        if scope := getattr(self, "scope", None):
            extensions: dict[str, Any] = scope["extensions"]
            extensions[EXTENSION] = Frames(self.write_frame, self.deliver_to)
            self.at_frame_start = True

    def write_frame(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def deliver_to(self, hear: Hear) -> None:
        self.hear = hear

    def data_received(self, data: bytes) -> None:
        texts = texts_in(data) if self.at_frame_start else None
        if texts is None or self.hear is None:
            self.at_frame_start = self.at_frame_start and is_ping_or_pong(data)
            super().data_received(data)
            return
        for text in texts:
            self.deliver(self.hear, text)

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
