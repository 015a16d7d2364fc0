"""Rate limits by guest, address or socket, as token buckets in this process's memory.

A class of sixty people behind one address can join at the same time. A program that guesses ids or
creates guests in a loop is stopped.
"""

import time
from collections.abc import Hashable

from django.conf import settings


class Bucket:
    """Holds up to `burst` tokens and gains `rate` a second; `take` fails when it is empty."""

    __slots__ = ("burst", "filled", "rate", "tokens")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = self.tokens = burst
        self.filled = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.filled) * self.rate)
        self.filled = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    @property
    def is_full(self) -> bool:
        return self.tokens + (time.monotonic() - self.filled) * self.rate >= self.burst


class Limit:
    """One bucket for each key. Full buckets are dropped, so memory use follows the traffic."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.buckets: dict[Hashable, Bucket] = {}
        self.forget_at = 1000

    def allows(self, key: Hashable) -> bool:
        if not settings.LIMITS:
            return True
        bucket = self.buckets.get(key)
        if bucket is None:
            if len(self.buckets) >= self.forget_at:
                self.buckets = {
                    key: bucket for key, bucket in self.buckets.items() if not bucket.is_full
                }
                self.forget_at = max(1000, 2 * len(self.buckets))
            bucket = self.buckets[key] = Bucket(self.rate, self.burst)
        return bucket.take()


GUESTS_BY_ADDRESS = Limit(rate=1, burst=120)
CREATING_BY_GUEST = Limit(rate=0.2, burst=20)
CREATING_BY_ADDRESS = Limit(rate=2, burst=240)
JOINING_BY_GUEST = Limit(rate=0.5, burst=30)
JOINING_BY_ADDRESS = Limit(rate=4, burst=240)
# A class of thirty can step through thirty reviews at the same time.
THINKING_BY_ADDRESS = Limit(rate=30, burst=600)
# Counts only links that lead to no match, so it limits guessing and never playing.
MISSES_BY_ADDRESS = Limit(rate=0.5, burst=60)
