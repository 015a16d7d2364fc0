"""The hub: this process's sockets, grouped by match, and the matches loaded for them.

Any message may be lost. A client that missed one notices by `version`, and `convergence.py`
compares the loaded matches with the database every few seconds.
"""

import asyncio
import math
import time
from collections import OrderedDict
from typing import Any

from games.live import presence, protocol
from games.live.events import Concern, Events
from games.live.live_match import HELD_FOR, LiveMatch
from games.live.presence import Others
from games.live.relay import Relay
from games.live.socket import Socket, push_to
from games.live.tasks import Tasks
from games.matches import database, selectors
from games.matches.loaded_match import Entry, LoadedMatch
from games.matches.lookups import NoSuchMatch
from games.rules import Seat

# Work on many matches is done in parts of this size, so that moves can go in between.
MATCHES_AT_ONCE = 200
# Of how many matches we remember who has seen them. Of older ones we know it by the moves.
MOST_SEEN = 10_000


class Hub:
    def __init__(self, tasks: Tasks, events: Events) -> None:
        self.tasks, self.events = tasks, events
        self.matches: dict[str, LiveMatch] = {}
        self.relay: Relay | None = None
        self.others = Others()
        # How many actions this process has committed.
        self.written = 0
        # Who was on the page of a match that is no longer loaded, but still being played.
        self._seen: OrderedDict[str, frozenset[Seat]] = OrderedDict()

    # --- Sockets ----------------------------------------------------------------------------

    def live_match(self, match_id: str) -> LiveMatch:
        """Return the match with this id; if it isn't here yet, create one with nothing loaded."""
        live = self.matches.get(match_id)
        if live is None:
            live = self.matches[match_id] = LiveMatch(match_id, time.monotonic(), self.tasks)
            live.presence.seen = self._seen.pop(match_id, frozenset())
        return live

    def unload(self, live: LiveMatch) -> None:
        """Drop a match that nobody has open, but remember who has seen that it began."""
        if self.matches.get(live.id) is not live:
            return
        del self.matches[live.id]
        seen = frozenset(seat for seat in (1, 2) if live.presence.has_seen(seat))
        if seen and live.loaded is not None and live.loaded.is_live:
            self._seen[live.id] = seen
            if len(self._seen) > MOST_SEEN:
                self._seen.popitem(last=False)

    def loaded(self, match_id: str) -> LoadedMatch | None:
        """Return the match with this id, if it is loaded here. Safe in any thread."""
        live = self.matches.get(match_id)
        return live.loaded if live is not None else None

    def has_loaded(self, match_id: str) -> bool:
        return self.loaded(match_id) is not None

    async def enter(self, match_id: str, socket: Socket) -> LiveMatch | None:
        """Subscribe a socket, then send its snapshot. The other way round it could miss updates."""
        live = self.live_match(match_id)
        live.sockets.add(socket)
        live.steady_until = 0.0
        try:
            if live.loaded is None:
                await self.load(live)
        finally:
            if live.loaded is None:
                self.leave(live, socket)
        if live.loaded is None:
            return None
        live.seat(socket, live.loaded.seats_of(socket.who))
        self.hear(live, socket)
        self.send_snapshot(live, socket)
        socket.push(self.presence_text(self.presence_of(live)))
        self.events.watched(live.id)
        return live

    def leave(self, live: LiveMatch, socket: Socket) -> None:
        live.remove(socket)
        live.steady_until = 0.0
        if not live.sockets:
            live.empty_since = time.monotonic()
            # Nobody is left to tell. Check again when the match may be unloaded.
            live.steady_until = live.empty_since + HELD_FOR
            if live.loaded is None:
                self.matches.pop(live.id, None)
        if live.loaded is not None:
            self.events.watched(live.id)

    def forget(self, live: LiveMatch) -> None:
        """Disconnect everyone from a match that was deleted, because nobody had moved in it."""
        self.matches.pop(live.id, None)
        for socket in tuple(live.sockets):
            socket.push(protocol.error(NoSuchMatch()))
            socket.close(4404)

    def hear(self, live: LiveMatch, socket: Socket) -> None:
        """Record that we heard from the players behind a socket."""
        if socket.you:
            now = time.monotonic()
            for seat in socket.you:
                live.presence.heard[seat] = now
                live.presence.networks[seat] = socket.address

    def send_snapshot(self, live: LiveMatch, socket: Socket) -> None:
        socket.push(_snapshot(live, socket.you or ()))

    def count_sockets(self) -> int:
        return sum(len(live.sockets) for live in self.matches.values())

    def count_live(self) -> int:
        """Count the matches that aren't over and that somebody here plays or watches."""
        return sum(
            live.loaded is not None and live.loaded.is_live and bool(live.sockets)
            for live in self.matches.values()
        )

    # --- Matches ----------------------------------------------------------------------------

    async def load(self, live: LiveMatch) -> None:
        """Load or reload a match. Concurrent callers share one read."""
        if live.loading is None:
            live.loading = asyncio.get_running_loop().create_task(self._load(live))
        await asyncio.shield(live.loading)

    async def _load(self, live: LiveMatch) -> None:
        ended = False
        try:
            live.outdated = True
            while live.outdated:
                # If something changes while we are reading, read again.
                live.outdated = False
                stored = await database.read(selectors.stored_match, live.id)
                before = live.loaded
                # Actions committed in the meantime may be missing from what we read.
                if stored is not None and (before is None or len(stored.actions) >= before.version):
                    live.loaded = LoadedMatch(stored)
                    if before is not None:
                        live.loaded.keep_turn_of(before)
                    live.presence.note_start(live.loaded, was_here=before is not None)
                    was_running = before is not None and before.outcome is None
                    ended |= was_running and live.loaded.outcome is not None
        finally:
            live.loading = None
        live.steady_until = 0.0
        if live.loaded is not None:
            self.announce(live, ended)

    def committed(self, live: LiveMatch, entries: list[Entry], ended: bool) -> None:
        """Tell the other processes and all listeners about entries that were saved and shown."""
        # A read in progress may not include these entries.
        live.outdated = True
        self.written += len(entries)
        if self.relay is not None:
            self.relay.tell_actions(live.id, [entry.action for entry in entries])
        self.announce(live, ended)

    def announce(self, live: LiveMatch, ended: bool) -> None:
        """Tell all listeners that a match has changed, and whether it has ended."""
        self.events.changed(live)
        if ended:
            self.events.finished(live)

    def react(self, match_id: str, by: Seat | None, reaction: str) -> None:
        """Pass a reaction on to everyone. It is not stored."""
        self.show_reaction(match_id, by, reaction)
        if self.relay is not None:
            self.relay.tell_reaction(match_id, by, reaction)

    def show_reaction(self, match_id: str, by: Seat | None, reaction: str) -> None:
        if live := self.matches.get(match_id):
            live.broadcast(protocol.reaction(by, reaction))

    def changed(self, match_id: str, guests: tuple[int, ...] = ()) -> None:
        """Something other than an action changed (joined, cancelled, …). Safe in any thread.

        `guests` are those for whom the match is new.
        """
        loop = self.tasks.loop
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(self._changed, match_id, guests)

    def _changed(self, match_id: str, guests: tuple[int, ...]) -> None:
        if self.relay is not None:
            self.relay.tell_changed(match_id)
            if guests:
                self.relay.tell_concern(match_id, guests)
        self.refresh_soon(match_id)
        if guests:
            self.events.concerned(Concern(match_id, guests))

    def refresh_soon(self, match_id: str) -> None:
        live = self.matches.get(match_id)
        if live is None:
            self.events.changed_unseen(match_id)
        else:
            live.outdated = True
            self.tasks.spawn(self.refresh(live))

    async def refresh(self, live: LiveMatch) -> None:
        """Reload a match and send everyone its snapshot."""
        await self.load(live)
        loaded = live.loaded
        if loaded is None:
            return
        for socket in live.sockets:
            if live.seat(socket, loaded.seats_of(socket.who)):
                self.hear(live, socket)
        for socket in live.players:
            push_to((socket,), _snapshot(live, socket.you or ()))
        live.tell_spectators(_snapshot(live, ()))

    def guest_changed(self, guest_id: int) -> None:
        """A guest has another name: show it wherever they play. Safe in any thread."""
        loop = self.tasks.loop
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(self._guest_changed, guest_id)

    def _guest_changed(self, guest_id: int) -> None:
        if self.relay is not None:
            self.relay.tell_guest(guest_id)
        self.tasks.spawn(self.show_guest(guest_id))

    async def show_guest(self, guest_id: int) -> None:
        """Reload the matches here in which a guest plays, one after the other.

        Matches that nobody here has open are read from the database anyway. Names are no part of a
        fingerprint: if word of a new one is lost, it shows when the match is loaded next.
        """
        for count, live in enumerate(tuple(self.matches.values()), 1):
            if live.loaded is not None and live.loaded.row.seats_with(guest_id):
                live.outdated = True
                await self.refresh(live)
            elif live.loading is not None:
                # It may have been read before the name was saved.
                live.outdated = True
            if count % MATCHES_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def rematch_changed(self, live: LiveMatch) -> None:
        """Tell everyone, spectators too, that a rematch was offered, or where it is."""
        live.outdated = True
        await self.load(live)
        assert live.loaded is not None
        live.broadcast(protocol.encode({"type": "rematch", **protocol.rematch(live.loaded.row)}))
        if self.relay is not None:
            self.relay.tell_changed(live.id)
            self.relay.tell_concern(live.id, selectors.guests_in(live.loaded.row))

    # --- Presence ---------------------------------------------------------------------------

    @property
    def presence_known(self) -> bool:
        return self.relay is None or self.relay.is_settled

    def spectators_of(self, match_id: str) -> int:
        """Count a match's spectators, here and elsewhere. Safe in any thread."""
        live = self.matches.get(match_id)
        return (live.spectators if live else 0) + self.others.spectators_of(match_id)

    def presence_of(self, live: LiveMatch) -> dict[str, Any]:
        assert live.loaded is not None
        now = time.monotonic()
        spectators = self.spectators_of(live.id)
        return presence.message(live.loaded, live.presence, spectators, self.presence_known, now)

    def presence_text(self, message: dict[str, Any]) -> str:
        claim = message["claim"]
        if claim is not None:
            # Rounded up, so that a claim at the end of the countdown is not too early.
            seconds = max(0.0, math.ceil((claim["at"] - time.monotonic()) * 10) / 10)
            message = {**message, "claim": {"seat": claim["seat"], "in": seconds}}
        return protocol.encode(message)


def _snapshot(live: LiveMatch, you: tuple[int, ...]) -> str:
    assert live.loaded is not None
    return protocol.encode({**protocol.snapshot(live.loaded), "you": you})
