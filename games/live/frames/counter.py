"""Follows the frames in what a client sends, without decoding them."""

# A client's longest message, in bytes. Those of our protocol have at most 4,096 characters.
LONGEST_MESSAGE = 128 * 1024

FINAL, CONTROL, MASKED = 0x80, 0x08, 0x80


class MessageTooLong(Exception):
    """A frame was announced that makes its message longer than a client may send."""


class FrameCounter:
    """Knows where in a frame the next byte belongs, however the network has cut the frames."""

    __slots__ = ("_head", "_in_message", "_left", "_size")

    def __init__(self) -> None:
        # The beginning of a header, and how much of a payload is still to come.
        self._head = b""
        self._left = 0
        # Whether more fragments of a message will follow, and the size of those announced so far.
        self._in_message = False
        self._size = 0

    @property
    def at_message_start(self) -> bool:
        return not (self._left or self._in_message or self._head)

    def count(self, data: bytes, most: int) -> int:
        """Return how many frames begin in this data. Once there are more than `most`, stop."""
        if self._left >= len(data):
            self._left -= len(data)
            return 0
        if self._head:
            data, self._head = self._head + data, b""
        frames, at, end = 0, self._left, len(data)
        self._left = 0
        while at < end and frames <= most:
            start = _payload_start(data, at)
            if start > end:
                self._head = data[at:]
                return frames
            frames += 1
            at = start + self._size_of_payload(data, at)
        self._left = max(0, at - end)
        return frames

    def _size_of_payload(self, data: bytes, at: int) -> int:
        first, size = data[at], data[at + 1] & 0x7F
        if size >= 126:
            size = int.from_bytes(data[at + 2 : at + (4 if size == 126 else 10)])
        if not first & CONTROL:
            self._size += size
            if self._size > LONGEST_MESSAGE:
                raise MessageTooLong
            self._in_message = not first & FINAL
            if not self._in_message:
                self._size = 0
        return size


def _payload_start(data: bytes, at: int) -> int:
    """Return where the payload of the frame at `at` starts, which may be after the end."""
    if at + 2 > len(data):
        return at + 2
    second = data[at + 1]
    size = second & 0x7F
    return at + 2 + (0 if size < 126 else 2 if size == 126 else 8) + (4 if second & MASKED else 0)
