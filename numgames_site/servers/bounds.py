"""The limits on HTTP connections, which both servers apply before the application sees anything."""

import select
from collections import Counter, OrderedDict, defaultdict
from itertools import islice
from typing import Protocol

import msgspec
from django.conf import settings

from games.live import descriptors, protocol
from games.live.door import site_full
from games.refusals import Refusal
from games.sentences import PLAIN

LONGEST_BODY = 64 * 1024
# A chunk of a body counts as at least this many bytes, because reading it takes as long.
SMALLEST_CHUNK = 64
LONGEST_HEADERS = 16 * 1024
# Seconds from the first byte of a request to its last, or until there is a first byte.
LONGEST_REQUEST = 15.0
# Seconds until a client must have read the answer.
LONGEST_ANSWER = 60.0
# Seconds to let a refused client read why, if it goes on sending.
LINGER = 2.0
# How many connections to look at for one that can make room.
MOST_LOOKED_AT = 10

TOO_LARGE = Refusal("too_large", PLAIN(text="A request has at most 64 KiB."), 413)
LONG_HEADERS = Refusal("too_large", PLAIN(text="The headers of this request are too long."), 431)
TOO_SLOW = Refusal("too_slow", PLAIN(text="The request took too long to arrive."), 408)
REASONS = {
    408: b"Request Timeout",
    413: b"Content Too Large",
    431: b"Request Header Fields Too Large",
    503: b"Service Unavailable",
}


def answer(refusal: Refusal, path: bytes = b"") -> bytes:
    """Return a whole HTTP answer: JSON for the API, and otherwise one line of text."""
    if path.startswith(b"/api/"):
        body, kind = msgspec.json.encode(protocol.refused(refusal)), b"application/json"
    else:
        body, kind = f"{refusal.text}\n".encode(), b"text/plain; charset=utf-8"
    return (
        b"HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nRetry-After: 10\r\n"
        b"Connection: close\r\n\r\n%s"
    ) % (refusal.status, REASONS[refusal.status], kind, len(body), body)


class Connection(Protocol):
    def turn_away(self, refusal: Refusal) -> None:
        """Answer with a refusal and close the connection at once."""


Waiting = OrderedDict[Connection, None]


class Connections:
    """The connections that haven't become websockets.

    If there are too many, the one that has waited longest without a complete request has to go. The
    new one is refused only if all of them are being answered, or about to send something.
    """

    def __init__(self) -> None:
        self.highest_descriptor = descriptors.highest_for_clients()
        self.by_address = max(16, descriptors.for_clients() // 8)
        self._by_address: Counter[str] = Counter()
        # The address and the descriptor of each.
        self._open: dict[Connection, tuple[str, int]] = {}
        # Those that wait, the longest first: all, and by address.
        self._waiting: Waiting = OrderedDict()
        self._waiting_at: defaultdict[str, Waiting] = defaultdict(OrderedDict)

    def come(self, connection: Connection, address: str, descriptor: int) -> None:
        """Count a new connection, which waits for a request; close one if there are too many."""
        self._open[connection] = address, descriptor
        self._by_address[address] += 1
        # Behind a proxy, all connections come from its address.
        if not settings.PROXY and self._by_address[address] > self.by_address:
            is_refused = not self._make_room(self._waiting_at[address])
        else:
            is_refused = descriptor > self.highest_descriptor and not self._make_room(self._waiting)
        if is_refused:
            connection.turn_away(site_full())
        else:
            self.wait(connection)

    def _make_room(self, waiting: Waiting) -> bool:
        """Close the connection that has waited longest; return False if there is none."""
        for connection in list(islice(waiting, MOST_LOOKED_AT)):
            # It takes a moment to close. Until then, others must make room.
            self.work(connection)
            if not has_sent_more(self._open[connection][1]):
                connection.turn_away(site_full())
                return True
            self.wait(connection)
        return False

    def wait(self, connection: Connection) -> None:
        """The connection waits for the client's next request."""
        if connection in self._open:
            address, _ = self._open[connection]
            self._waiting[connection] = self._waiting_at[address][connection] = None

    def work(self, connection: Connection) -> None:
        """A request is complete, and is being answered."""
        if connection in self._waiting:
            address, _ = self._open[connection]
            del self._waiting[connection], self._waiting_at[address][connection]

    def go(self, connection: Connection) -> None:
        """The connection is closed, or has become a websocket."""
        if connection not in self._open:
            return
        self.work(connection)
        address, _ = self._open.pop(connection)
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address], self._waiting_at[address]


def has_sent_more(descriptor: int) -> bool:
    """Return whether the client has sent something that the server hasn't read yet."""
    unread = select.poll()
    unread.register(descriptor, select.POLLIN)
    return bool(unread.poll(0))
