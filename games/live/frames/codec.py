"""Websocket frames (RFC 6455): encode a server's texts, decode a client's short texts."""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module


def slow_unmask(data: bytes, mask: bytes) -> bytes:
    size = len(data)
    repeated = mask * (size // 4 + 1)
    return (int.from_bytes(data) ^ int.from_bytes(repeated[:size])).to_bytes(size)


unmask: Callable[[bytes, bytes], bytes] = slow_unmask
with suppress(ImportError):
    # Comes with uvicorn, and takes a third of the time. daphne does without it.
    unmask = import_module("websockets.speedups").apply_mask

TEXT = 0x81
MASKED = 0x80
LONGEST_SHORT = 125
# More frames than this at once are a flood, and not decoded here.
MOST_AT_ONCE = 1000
# The header of a client's short frame: opcode, length, four bytes of mask.
HEADER = 6


def frame_of(text: str) -> bytes:
    """Encode a text as a server sends it: one complete text frame, unmasked."""
    payload = text.encode()
    size = len(payload)
    if size <= LONGEST_SHORT:
        return bytes((TEXT, size)) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


def texts_in(data: bytes) -> list[str] | None:
    """Decode a client's data; return None unless it is only complete, short text frames."""
    texts: list[str] = []
    at, end = 0, len(data)
    while at < end:
        start = at + HEADER
        if start > end or data[at] != TEXT or len(texts) == MOST_AT_ONCE:
            return None
        size = data[at + 1] - MASKED
        at = start + size
        if not 0 <= size <= LONGEST_SHORT or at > end:
            return None
        try:
            texts.append(unmask(data[start:at], data[start - 4 : start]).decode())
        except UnicodeDecodeError:
            return None
    return texts
