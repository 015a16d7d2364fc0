"""Websocket frames (RFC 6455): encode a server's texts, decode a client's short texts."""

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
    at = 0
    while at < len(data):
        size = _short_size(data, at)
        if size is None or data[at] != TEXT or len(texts) == MOST_AT_ONCE:
            return None
        start, at = at + HEADER, at + HEADER + size
        mask = data[start - 4 : start] * (size // 4 + 1)
        payload = int.from_bytes(data[start:at]) ^ int.from_bytes(mask[:size])
        try:
            texts.append(payload.to_bytes(size).decode())
        except UnicodeDecodeError:
            return None
    return texts


def _short_size(data: bytes, at: int) -> int | None:
    """Return the payload size of the short frame that starts here, if all of it has arrived."""
    if len(data) < at + HEADER:
        return None
    size = data[at + 1] - MASKED
    return size if 0 <= size <= LONGEST_SHORT and len(data) >= at + HEADER + size else None
