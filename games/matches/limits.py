"""Rate limits by guest, network or socket, as token buckets in this process's memory.

A class of sixty people behind one address can join at the same time. A program that guesses ids or
creates matches in a loop is stopped.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Hashable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Lock

from django.conf import settings

from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

TOO_OFTEN = Template(_("You're doing that too often. Wait a minute, then try again."))
MANY_MATCHES = Template(_("That's a lot of matches for one day. Try again in an hour."))
WRONG_LINKS = Template(_("Too many wrong links were tried from your network. Wait a minute."))
WRONG_CODES = Template(_("Too many wrong codes were tried from your network. Wait a few minutes."))
MANY_WRONG_CODES = Template(_("Too many wrong codes are being tried right now. Try again later."))
MANY_DOWNLOADS = Template(_("You've just downloaded your data. Try again in an hour."))

# How many buckets a limit keeps. With more networks or guests than this at once, those that were
# quiet for longest start again with a full bucket.
MOST_BUCKETS = 20_000


class Bucket:
    """Holds up to `burst` tokens and gains `rate` a second; `take` fails when it is empty."""

    __slots__ = ("burst", "filled", "rate", "tokens")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = self.tokens = burst
        self.filled = time.monotonic()

    def take(self, tokens: float = 1) -> bool:
        if not self.has_token(tokens):
            return False
        self.tokens -= tokens
        return True

    def has_token(self, tokens: float = 1) -> bool:
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.filled) * self.rate)
        self.filled = now
        return self.tokens >= tokens

    @property
    def seconds_left(self) -> float:
        """How long it takes until there is a token again."""
        return max(0.0, (1 - self.tokens) / self.rate) if self.rate else math.inf


class Limit:
    """One bucket for each key, for the keys used last. Pages use it in several threads."""

    def __init__(self, rate: float, burst: float, text: Template = TOO_OFTEN) -> None:
        self.rate, self.burst, self.text = rate, burst, text
        self.buckets: OrderedDict[Hashable, Bucket] = OrderedDict()
        self._lock = Lock()

    def allows(self, key: Hashable, tokens: float = 1) -> bool:
        """Take tokens from this key's bucket; return False if there are not enough."""
        return not settings.LIMITS or self._bucket(key).take(tokens)

    def require(self, key: Hashable) -> None:
        """Take a token from this key's bucket; raise a `Refusal` if it is empty."""
        if not self.allows(key):
            raise self.refusal(key)

    def is_used_up(self, key: Hashable) -> bool:
        """Return whether this key's bucket is empty, without taking anything from it."""
        bucket = self.buckets.get(key)
        return settings.LIMITS and bucket is not None and not bucket.has_token()

    def refusal(self, key: Hashable) -> Refusal:
        return Refusal("too_many", self.text(), 429, self._bucket(key).seconds_left)

    def _bucket(self, key: Hashable) -> Bucket:
        with self._lock:
            bucket = self.buckets.get(key)
            if bucket is None:
                bucket = self.buckets[key] = Bucket(self.rate, self.burst)
                if len(self.buckets) > MOST_BUCKETS:
                    self.buckets.popitem(last=False)
            else:
                self.buckets.move_to_end(key)
            return bucket


def require_all(*wanted: tuple[Limit, Hashable]) -> None:
    """Take a token from each of these buckets; if one is empty, take none and raise a `Refusal`.

    So a guest above their own limit doesn't use up the limit of everyone in their network.
    """
    for limit, key in wanted:
        if limit.is_used_up(key):
            raise limit.refusal(key)
    for limit, key in wanted:
        limit.require(key)


def require_new_match(guest_id: int, network: str) -> None:
    """Apply the limits on new matches, rematches included."""
    require_all(
        (CREATING_BY_ADDRESS, network),
        (CREATING_BY_ADDRESS_DAILY, network),
        (CREATING_BY_GUEST, guest_id),
        (CREATING_BY_GUEST_DAILY, guest_id),
    )


def require_change(guest_id: int, network: str) -> None:
    """Apply the limits on changes to a guest's profile. The first one may store the guest."""
    require_all((CHANGING_BY_ADDRESS, network), (CHANGING_BY_GUEST, guest_id))


def require_thought(guest_id: int | None, network: str) -> None:
    """Apply the limits on questions to the solver. Those without an id count only by network."""
    by_guest = [(THINKING_BY_GUEST, guest_id)] if guest_id is not None else []
    require_all((THINKING_BY_ADDRESS, network), *by_guest)


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return what limits count by: an IPv4 address, or the /64 network of an IPv6 address.

    One person usually has a whole /64, so limits on single IPv6 addresses would limit nobody.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((parsed, 64), strict=False))


# Tokens for programs without a proof of work (proofs.py).
TOKENS_BY_ADDRESS = Limit(rate=1, burst=120)
CREATING_BY_GUEST = Limit(rate=0.2, burst=20)
CREATING_BY_ADDRESS = Limit(rate=2, burst=240)
# How many matches a day. A school of 600 behind one address can play 33 each.
DAY = 24 * 60 * 60
CREATING_BY_GUEST_DAILY = Limit(rate=500 / DAY, burst=500, text=MANY_MATCHES)
CREATING_BY_ADDRESS_DAILY = Limit(rate=20_000 / DAY, burst=20_000, text=MANY_MATCHES)
JOINING_BY_GUEST = Limit(rate=0.5, burst=30)
JOINING_BY_ADDRESS = Limit(rate=4, burst=240)
# A new name is shown on every page that shows the guest, in all processes.
CHANGING_BY_GUEST = Limit(rate=0.1, burst=20)
CHANGING_BY_ADDRESS = Limit(rate=0.5, burst=240)
# Holding down a key steps through a whole review, which has at most a hundred moves.
THINKING_BY_GUEST = Limit(rate=5, burst=200)
# A class of thirty can step through thirty reviews at the same time.
THINKING_BY_ADDRESS = Limit(rate=30, burst=600)
# Counts only links that lead to no match, so it limits guessing and never playing.
MISSES_BY_ADDRESS = Limit(rate=0.5, burst=60, text=WRONG_LINKS)
# Websockets opened. A class of 600 may reconnect at once, with two pages each.
OPENING_BY_ADDRESS = Limit(rate=50, burst=2_400)
# Counts only what a socket sends beyond what pages send (games/live/meter.py). One program can play
# at full speed all the time, but not several together.
MESSAGES_BY_GUEST = Limit(rate=200, burst=1_000)
MESSAGES_BY_ADDRESS = Limit(rate=500, burst=2_000)
# Subscriptions to web push that are made, renewed or ended. One tap each.
SUBSCRIBING_BY_GUEST = Limit(rate=0.1, burst=20)
SUBSCRIBING_BY_ADDRESS = Limit(rate=2, burst=240)
# Web push messages to one guest. Somebody in thirty matches hears of all of them.
NOTIFYING_BY_GUEST = Limit(rate=0.1, burst=30)
# New links and recovery codes, and signing devices out.
DEVICES_BY_GUEST = Limit(rate=1 / 30, burst=20)
# Links and codes that are redeemed, right or wrong. A class of sixty can do it at the same time.
ARRIVING_BY_ADDRESS = Limit(rate=0.5, burst=120)
ARRIVING_BY_GUEST = Limit(rate=1 / 30, burst=20)
# Counts only wrong links and codes. A code has 63 random bits, so nobody finds one at this rate.
WRONG_CODES_BY_ADDRESS = Limit(rate=0.1, burst=30, text=WRONG_CODES)
WRONG_CODES_IN_ALL = Limit(rate=2, burst=2_000, text=MANY_WRONG_CODES)
DOWNLOADS_BY_GUEST = Limit(rate=3 / 3600, burst=3, text=MANY_DOWNLOADS)
