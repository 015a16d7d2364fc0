"""uvicorn's websockets, with one thing more: a frame that was made once for many can be written.

An update goes to everyone in the room. Making a frame of it anew for each socket would cost as much
as judging the move.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class FramesProtocol(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        # The application begins after this; a refused handshake has no scope.
        if scope := getattr(self, "scope", None):
            scope["extensions"]["numgames.frames"] = {"write": self.write_frame}

    def write_frame(self, frame: bytes) -> bool:
        """Write a whole frame at once; False if it has to be sent in the ordinary way."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True
