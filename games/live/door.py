"""Decides whether a websocket may come in, and knows which sockets a guest or an address has.

There is a limit for each guest and each address, and one for all. The last places are kept for
guests who play in the match they open, so that nobody who only opens sockets can stop a match.
"""

from collections.abc import Hashable, Set

from django.conf import settings

from games.live.socket import Socket
from games.matches import limits
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

TOO_MANY_PAGES = Template(
    _("Too many pages of this site are open. Close some, then reload this one.")
)
SITE_FULL = Template(_("The site is full right now. Try again in a few minutes."))

BY_GUEST = 20
# A school of 600 behind one address, with two pages each, still fits.
BY_ADDRESS, BY_ADDRESS_WITH_PLAYERS = 1_500, 2_000


class Door:
    def __init__(self, most: int) -> None:
        """`most` is how many sockets fit in all, players included."""
        self.most, self.most_spectators = most, most * 3 // 4
        self.by_address = min(BY_ADDRESS, most // 2)
        self.by_address_with_players = min(BY_ADDRESS_WITH_PLAYERS, most * 2 // 3)
        self._sockets: set[Socket] = set()
        self._of: dict[Hashable, set[Socket]] = {}
        # Those that may stay only if they play.
        self._for_players: set[Socket] = set()

    @property
    def sockets(self) -> int:
        """How many sockets there are."""
        return len(self._sockets)

    def of_guest(self, guest_id: int) -> Set[Socket]:
        return self._of.get(guest_id, frozenset())

    def of_address(self, address: str) -> Set[Socket]:
        return self._of.get(address, frozenset())

    def enter(self, socket: Socket) -> None:
        """Count a socket that comes in; raise a `Refusal` if there is no place for it."""
        guest_id, address = socket.guest_id, socket.address
        limits.OPENING_BY_ADDRESS.require(address)
        if settings.LIMITS:
            if guest_id is not None and len(self.of_guest(guest_id)) >= BY_GUEST:
                raise too_many()
            here = len(self.of_address(address))
            if here >= self.by_address:
                if guest_id is None or here >= self.by_address_with_players:
                    raise too_many()
                self._for_players.add(socket)
        if len(self._sockets) >= self.most_spectators:
            if guest_id is None or len(self._sockets) >= self.most:
                raise site_full()
            self._for_players.add(socket)
        self._sockets.add(socket)
        for key in (guest_id, address):
            if key is not None:
                self._of.setdefault(key, set()).add(socket)

    def require_place(self, socket: Socket) -> None:
        """Raise a `Refusal` if only players may stay and this socket doesn't play."""
        if socket in self._for_players and not socket.you:
            raise site_full() if len(self._sockets) > self.most_spectators else too_many()

    def leave(self, socket: Socket) -> None:
        """Count a socket that goes, or that was never let in."""
        self._sockets.discard(socket)
        self._for_players.discard(socket)
        for key in (socket.guest_id, socket.address):
            if (sockets := self._of.get(key)) is not None:
                sockets.discard(socket)
                if not sockets:
                    del self._of[key]


def too_many() -> Refusal:
    return Refusal("too_many", TOO_MANY_PAGES(), 429)


def site_full() -> Refusal:
    return Refusal("site_full", SITE_FULL(), 503)
