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

from collections.abc import Callable
from typing import NamedTuple

from games.live.frames.codec import frame_of

__all__ = ["EXTENSION", "METER", "Frames", "Hear", "WriteFrame", "frame_of"]

EXTENSION = "numgames.frames"
METER = "numgames.meter"

WriteFrame = Callable[[bytes], bool]
Hear = Callable[[str], None]


class Frames(NamedTuple):
    # Writes one or more complete frames. False means nothing was written: send it through ASGI.
    write: WriteFrame
    # From now on the server calls this with each text. The rest still comes through `receive`.
    deliver_to: Callable[[Hear], None]
