"""uvicorn's websockets, with the shortcuts of `games/live/frames.py`."""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.live.frames import EXTENSION, Frames, Hear


class FramesProtocol(WebSocketsSansIOProtocol):
    hear: Hear | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        # The application begins after this; a refused handshake has no scope.
        if scope := getattr(self, "scope", None):
            extensions: dict[str, Any] = scope["extensions"]
            extensions[EXTENSION] = Frames(self.write_frame, self.deliver_to)

    def write_frame(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def deliver_to(self, hear: Hear | None) -> None:
        self.hear = hear

    def handle_text(self, event: Any) -> None:
        if self.hear is None or not event.fin:
            super().handle_text(event)
            return
        try:
            text = event.data.decode()
        except UnicodeDecodeError:
            # It knows how to close such a socket.
            super().handle_text(event)
            return
        if not self.close_sent:
            self.hear(text)
