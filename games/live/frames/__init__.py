"""The fast path: exchange websocket frames directly with the server, bypassing ASGI.

An update is encoded as a frame once, and the same bytes are written to every socket of its match.
An incoming text is delivered by a plain function call, while ASGI would put it into a queue and
wake a task. docs/frames.md has the figures and everything this relies on.

A server that offers the fast path puts `Frames` into the scope, as the ASGI extension `EXTENSION`.
Without it, the sockets use plain ASGI. Only the entry points import the modules for each server
(`daphne`, `uvicorn`), since uvicorn may not be installed.

With or without the fast path, these modules count every frame, and offer the `Meter` that counts as
the extension `METER`.
"""

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, Protocol

from games.live.frames.codec import frame_of

__all__ = ["EXTENSION", "METER", "Frames", "Gone", "Hear", "Held", "WriteFrame", "frame_of"]

EXTENSION = "numgames.frames"
METER = "numgames.meter"

WriteFrame = Callable[[bytes], bool]
# Called with each text; None stands for binary data.
Hear = Callable[[str | None], None]
# Called once, when a held socket has closed.
Gone = Callable[[], None]


class Held(Protocol):
    """A socket that stays open after its application has returned."""

    def write(self, frame: bytes) -> bool:
        """Write frames, as in `Frames`."""

    def send(self, message: dict[str, Any]) -> Coroutine[Any, Any, None]:
        """Send a message of ASGI."""


class Frames(NamedTuple):
    # Writes one or more complete frames. False means nothing was written: send it through ASGI.
    write: WriteFrame
    # From now on the server calls this with each text. The rest still comes through `receive`.
    deliver_to: Callable[[Hear], None]
    # The application will return, and the socket stays open: the server calls the function given to
    # `deliver_to` with everything, and this one at the end. None: the application has to stay.
    hold: Callable[[Gone], Held | None] = lambda gone: None
