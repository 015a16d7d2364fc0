"""Shortcuts past ASGI that a server may offer, for what happens with every move.

An update goes to everyone in the live: made a frame once, it is written to each socket as it is.
And a text that arrives is handed over at once, instead of waking a task for it; mostly it is one
short frame, which is read here. Servers that offer neither are served in the ordinary way.
"""

from collections.abc import Callable
from typing import NamedTuple

EXTENSION = "numgames.frames"

WriteFrame = Callable[[bytes], bool]
Hear = Callable[[str], None]


class Frames(NamedTuple):
    # Writes a whole frame; False if it has to be sent in the ordinary way.
    write: WriteFrame
    # From now on texts go there, and everything else through `receive`.
    deliver_to: Callable[[Hear], None]


TEXT, PING, PONG = 0x81, 0x89, 0x8A
MASKED = 0x80
LONGEST_SHORT = 125
# Of a client's short frame: what it is, how long, and four bytes of mask.
HEAD = 6


def frame_of(text: str) -> bytes:
    """A text as a server sends it: a websocket's text frame, whole and not masked."""
    payload = text.encode()
    size = len(payload)
    if size <= LONGEST_SHORT:
        return bytes((TEXT, size)) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


def texts_in(data: bytes) -> list[str] | None:
    """The texts in what a client has sent, if that is whole, short text frames and nothing else."""
    texts, at = [], 0
    while at < len(data):
        size = _size_of_short(data, at)
        if size is None or data[at] != TEXT:
            return None
        start, at = at + HEAD, at + HEAD + size
        mask = data[start - 4 : start] * (size // 4 + 1)
        payload = int.from_bytes(data[start:at]) ^ int.from_bytes(mask[:size])
        try:
            texts.append(payload.to_bytes(size).decode())
        except UnicodeDecodeError:
            return None
    return texts


def is_sign_of_life(data: bytes) -> bool:
    """Whether this is a ping or pong, whole and nothing else."""
    size = _size_of_short(data, 0)
    return size is not None and data[0] in (PING, PONG) and len(data) == HEAD + size


def _size_of_short(data: bytes, at: int) -> int | None:
    """How many bytes the short frame that begins here carries, if there is all of one."""
    if len(data) < at + HEAD:
        return None
    size = data[at + 1] - MASKED
    return size if 0 <= size <= LONGEST_SHORT and len(data) >= at + HEAD + size else None
