"""The fast path: websocket frames exchanged with the server directly, past ASGI.

An update is encoded as a frame once and written as it is to every socket of its match. A text that
arrives is handed over in a plain function call, where ASGI would put it into a queue and wake a
task. docs/frames.md has the figures and everything this relies on.

Here is the contract: a server that offers the fast path puts `Frames` into the scope, as the ASGI
extension `EXTENSION`. Without it, the sockets use plain ASGI. The servers' own modules (`daphne`,
`uvicorn`) are imported by the entry points only, since uvicorn may not be installed.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.live.frames.codec import frame_of

__all__ = ["EXTENSION", "Frames", "Hear", "WriteFrame", "frame_of"]

EXTENSION = "numgames.frames"

WriteFrame = Callable[[bytes], bool]
Hear = Callable[[str], None]


class Frames(NamedTuple):
    # Writes one or more complete frames. False means nothing was written: send it through ASGI.
    write: WriteFrame
    # From now on the server calls this with each text. Everything else still comes by `receive`.
    deliver_to: Callable[[Hear], None]
