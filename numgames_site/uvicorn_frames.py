"""uvicorn, with the shortcuts of `games/live/frames.py`: `-m numgames_site.uvicorn_frames`."""

import signal
import sys
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.live.frames import EXTENSION, Frames, Hear, is_sign_of_life, texts_in
from games.thinking import pool


class FramesProtocol(WebSocketsSansIOProtocol):
    hear: Hear | None = None
    # Whether only whole frames have come since the handshake: then the next data begins with one.
    # Once it is not so, everything goes uvicorn's own way.
    is_whole = False
    was_heard = False

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        # The application begins after this; a refused handshake has no scope.
        if scope := getattr(self, "scope", None):
            extensions: dict[str, Any] = scope["extensions"]
            extensions[EXTENSION] = Frames(self.write_frame, self.deliver_to)
            self.is_whole = True

    def write_frame(self, frame: bytes) -> bool:
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def deliver_to(self, hear: Hear) -> None:
        self.hear = hear

    def data_received(self, data: bytes) -> None:
        texts = texts_in(data) if self.is_whole else None
        if texts is None or self.hear is None:
            self.is_whole = self.is_whole and is_sign_of_life(data)
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
            # It knows how to close such a socket.
            super().handle_text(event)
            return
        self.deliver(self.hear, text)

    def deliver(self, hear: Hear, text: str) -> None:
        self.was_heard = True
        if not self.close_sent:
            hear(text)

    def send_keepalive_ping(self) -> None:
        # A message is as good as the answer to a ping.
        if self.was_heard and not self.close_sent:
            self.was_heard = False
            self.last_ping_rtt = 0.0
            self.schedule_ping()
        else:
            super().send_keepalive_ping()


if __name__ == "__main__":
    # When uvicorn has stopped it sends itself the signal once more, which would end all of this.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        uvicorn.main()
    finally:
        pool.end()
