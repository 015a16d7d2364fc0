"""Measures what a client sends on a websocket, and says when it is too much."""

from collections.abc import Callable

from games.live.frames.counter import FrameCounter, MessageTooLong
from games.matches import limits

# Close codes.
TOO_LONG = 1009
TOO_MANY = 4429

# A socket is for one match, and the longest match has a hundred moves. So a program can play at
# full speed, but it can't go on like that after the match.
RATE, BURST = 4, 1000
# What a client may send at once before it counts against the limits of its guest and its address.
# Pages never get there, however many share an address. Programs at full speed do.
USUAL = 40
# This many bytes cost as much as one frame.
BYTES_PER_FRAME = 4096

Refuse = Callable[[int], None]


class Meter:
    """Counts frames of every kind: texts, fragments, pings, pongs and binary data.

    Whoever accepts the socket sets `refuse`, which is called once, with a close code.
    """

    __slots__ = ("_bucket", "_counter", "address", "guest_id", "is_over", "refuse")

    def __init__(self, refuse: Refuse | None = None) -> None:
        self._bucket = limits.Bucket(RATE, BURST)
        self._counter = FrameCounter()
        self.refuse = refuse
        self.guest_id: int | None = None
        self.address: str | None = None
        self.is_over = False

    @property
    def at_frame_start(self) -> bool:
        """Whether the next byte starts a new message."""
        return self._counter.at_message_start

    def admits(self, data: bytes) -> bool:
        """Count the frames in this data; return False if the server must not read it."""
        if self.is_over:
            return False
        try:
            frames = self._counter.count(data, BURST)
        except MessageTooLong:
            return self._end(TOO_LONG)
        return self.admits_frames(frames, len(data))

    def admits_frames(self, frames: int, size: int) -> bool:
        """Count this many frames; return False if the server must not read them."""
        if self.is_over:
            return False
        cost = frames + size / BYTES_PER_FRAME
        bucket = self._bucket
        if bucket.take(cost) and (bucket.tokens >= BURST - USUAL or self._others_allow(cost)):
            return True
        return self._end(TOO_MANY)

    def _others_allow(self, cost: float) -> bool:
        return (self.guest_id is None or limits.MESSAGES_BY_GUEST.allows(self.guest_id, cost)) and (
            self.address is None or limits.MESSAGES_BY_ADDRESS.allows(self.address, cost)
        )

    def _end(self, code: int) -> bool:
        self.is_over = True
        if self.refuse is not None:
            self.refuse(code)
        return False
