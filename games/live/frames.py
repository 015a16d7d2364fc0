"""Shortcuts past ASGI that a server may offer, for what happens with every move.

An update goes to everyone in the room: made a frame once, it is written to each socket as it is.
And a text that arrives is handed over at once, instead of waking a task for it. Servers that offer
neither are served in the ordinary way.
"""

from collections.abc import Callable
from typing import NamedTuple

EXTENSION = "numgames.frames"

WriteFrame = Callable[[bytes], bool]
Hear = Callable[[str], None]


class Frames(NamedTuple):
    # Writes a whole frame; False if it has to be sent in the ordinary way.
    write: WriteFrame
    # From now on texts go there, and everything else through `receive`; None undoes it.
    deliver_to: Callable[[Hear | None], None]


def frame_of(text: str) -> bytes:
    """A text as a server sends it: a websocket's text frame, whole and not masked."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload
