"""Devices that were signed out: close their sockets, in every process.

Loaded matches know their players' rows, so they must learn it too. A message between processes may
be lost, so each process also looks at the database every few seconds.
"""

from datetime import timedelta

from django.utils import timezone

from games.live import protocol
from games.live.door import Door
from games.live.hub import Hub
from games.matches import database, selectors
from games.matches.identity import SignedOut

LOOK_EVERY = 5.0
# The clocks of several machines may differ by this much, and a look may come this late.
LOOK_BACK = timedelta(seconds=60)


class SignOuts:
    def __init__(self, hub: Hub, door: Door) -> None:
        self.hub, self.door = hub, door
        # What the last look has found.
        self._known: set[tuple[int, int]] = set()

    def announce(self, guest_id: int, mask: int) -> None:
        """Devices of a guest were signed out: bit n of `mask` is device n. Safe in any thread."""
        loop = self.hub.tasks.loop
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(self._announce, guest_id, mask)

    def _announce(self, guest_id: int, mask: int) -> None:
        if self.hub.relay is not None:
            self.hub.relay.tell_signed_out(guest_id, mask)
        self.apply(guest_id, mask)

    def apply(self, guest_id: int, mask: int) -> None:
        """Make what is loaded here forget these devices, and close their sockets."""
        for live in self.hub.matches.values():
            if live.loading is not None:
                # What is being read may be older than this.
                live.outdated = True
            if live.loaded is not None:
                row = live.loaded.row
                for guest in (row.seat_1, row.seat_2):
                    if guest is not None and guest.pk == guest_id:
                        guest.signed_out |= mask
                for socket in live.sockets & self.door.of_guest(guest_id):
                    live.seat(socket, row.seats_of(socket.who))
        for socket in tuple(self.door.of_guest(guest_id)):
            if mask >> socket.device & 1:
                refusal = SignedOut()
                socket.push(protocol.error(refusal))
                socket.close(4000 + refusal.status)

    async def look(self) -> None:
        """Find out what another process should have told us. One process alone needs no look."""
        if self.hub.relay is None:
            return
        since = timezone.now() - LOOK_BACK
        found = set(await database.read(selectors.signed_out_since, since))
        for guest_id, mask in found - self._known:
            self.apply(guest_id, mask)
        self._known = found
