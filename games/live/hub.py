"""The hub: this process's sockets, grouped by match, and the matches loaded for them.

Nothing delivers reliably, so nothing here relies on delivery: whoever misses a message notices by
`version`, and every few seconds the loaded matches are compared with the database.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any

from games.live import presence, protocol
from games.live.frames import frame_of
from games.live.live_match import HELD_FOR, LiveMatch
from games.live.metrics import RESYNCS
from games.live.presence import TOLD_FOR, Told
from games.live.relay import Relay
from games.live.socket import Socket, push_to
from games.live.tasks import Tasks
from games.matches import database, selectors
from games.matches.loaded_match import Entry, LoadedMatch
from games.rules import Seat

logger = logging.getLogger(__name__)

RECONCILE_EVERY = 5.0
# What takes longer than a millisecond is done in parts of so many, and moves go in between. Parts
# of what is done every few seconds are spread over half of that time.
MATCHES_AT_ONCE = 20
SOCKETS_AT_ONCE = 50
# How long what one process has committed may take to the others.
WORD_TAKES = 0.3


class Hub:
    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.matches: dict[str, LiveMatch] = {}
        self.relay: Relay | None = None
        self._told: dict[str, Told] = {}
        self.lobby_changed = asyncio.Event()
        # How many actions this process has committed.
        self.written = 0
        # For those who act on what a match has become: called with its live.
        self.when_changed: Callable[[LiveMatch], None] = lambda live: None

    # --- Sockets ----------------------------------------------------------------------------

    def live_match(self, match_id: str) -> LiveMatch:
        """The live of a match, a new one if need be."""
        live = self.matches.get(match_id)
        if live is None:
            live = self.matches[match_id] = LiveMatch(match_id, time.time())
        return live

    async def enter(self, match_id: str, socket: Socket) -> LiveMatch | None:
        """Subscribe a socket, then send its snapshot: otherwise it could miss an update."""
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
        socket.you = live.loaded.seats_of(socket.guest_id)
        self.hear(live, socket)
        self.send_snapshot(live, socket)
        socket.push(self.presence_text(self.presence_of(live)))
        if live.loaded.row.listed:
            self.lobby_changed.set()
        return live

    def leave(self, live: LiveMatch, socket: Socket) -> None:
        live.sockets.discard(socket)
        live.steady_until = 0.0
        if not live.sockets:
            live.empty_since = time.time()
            # Nobody to tell; it is looked at again when it may be let go of.
            live.steady_until = live.empty_since + HELD_FOR
            if live.loaded is None:
                self.matches.pop(live.id, None)
        if live.loaded is not None and live.loaded.row.listed:
            self.lobby_changed.set()

    def hear(self, live: LiveMatch, socket: Socket) -> None:
        """A sign of life."""
        if socket.you:
            now = time.time()
            for seat in socket.you:
                live.presence.heard[seat] = now

    def send_snapshot(self, live: LiveMatch, socket: Socket) -> None:
        socket.push(self._snapshot(live, socket.you or ()))

    def broadcast(self, live: LiveMatch, text: str) -> None:
        """Tell everyone in a live. Where many watch, the players hear it first."""
        frame = frame_of(text)
        if len(live.sockets) <= SOCKETS_AT_ONCE and not live.untold:
            push_to(live.sockets, text, frame)
            return
        push_to((socket for socket in live.sockets if socket.you), text, frame)
        live.untold.append((text, frame))
        if not live.telling:
            live.telling = True
            self.tasks.spawn(self._tell_spectators(live))

    async def _tell_spectators(self, live: LiveMatch) -> None:
        """A crowd is told in parts, so that nobody's move waits for it, here or in other matches.

        What happens meanwhile goes out together in the next round.
        """
        try:
            while live.untold:
                texts, frames = zip(*live.untold, strict=True)
                live.untold.clear()
                together = b"".join(frames)
                spectators = [socket for socket in live.sockets if not socket.you]
                for start in range(0, len(spectators), SOCKETS_AT_ONCE):
                    for socket in spectators[start : start + SOCKETS_AT_ONCE]:
                        try:
                            socket.push_together(texts, together)
                        except Exception:
                            logger.exception("A message could not be sent")
                    await asyncio.sleep(0)
        finally:
            live.telling = False

    def count_sockets(self) -> int:
        return sum(len(live.sockets) for live in self.matches.values())

    def count_live(self) -> int:
        """Matches that somebody here plays or watches and that are not over."""
        return sum(
            live.loaded is not None and live.loaded.is_live and bool(live.sockets)
            for live in self.matches.values()
        )

    # --- Matches ----------------------------------------------------------------------------

    async def load(self, live: LiveMatch) -> None:
        """Read the match anew; callers at the same time share one reading."""
        if live.loading is None:
            live.loading = asyncio.get_running_loop().create_task(self._load(live))
        await asyncio.shield(live.loading)

    async def _load(self, live: LiveMatch) -> None:
        try:
            live.outdated = True
            while live.outdated:
                # News that comes while we read makes us read once more.
                live.outdated = False
                stored = await database.read(selectors.stored_match, live.id)
                if stored is not None:
                    live.loaded = LoadedMatch(stored)
        finally:
            live.loading = None
        live.steady_until = 0.0
        self._say_changed(live)

    def _say_changed(self, live: LiveMatch) -> None:
        """Call the listener; its failure must not keep anyone from an answer."""
        try:
            self.when_changed(live)
        except Exception:
            logger.exception("A listener failed", extra={"match": live.id})

    def publish(self, live: LiveMatch, entries: list[Entry]) -> None:
        """Committed entries: take them in, tell everyone here, tell the other processes."""
        # What is being read now may be older than this.
        live.outdated = True
        self.written += len(entries)
        self.show(live, entries)
        if self.relay is not None:
            self.relay.tell_actions(live.id, [entry.action for entry in entries])
        self._say_changed(live)

    def show(self, live: LiveMatch, entries: list[Entry]) -> None:
        loaded = live.loaded
        assert loaded is not None
        loaded.extend(entries)
        for entry in entries:
            self.broadcast(live, protocol.update(loaded, entry))
        if loaded.row.listed:
            self.lobby_changed.set()

    def react(self, match_id: str, by: Seat | None, reaction: str) -> None:
        """A reaction from a socket here: told to everyone, kept nowhere."""
        self._show_reaction(match_id, by, reaction)
        if self.relay is not None:
            self.relay.tell_reaction(match_id, by, reaction)

    def _show_reaction(self, match_id: str, by: Seat | None, reaction: str) -> None:
        if live := self.matches.get(match_id):
            self.broadcast(live, protocol.reaction(by, reaction))

    def changed(self, match_id: str) -> None:
        """No action, but something else changed (joined, cancelled, …); from any thread."""
        loop = self.tasks.loop
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(self._changed, match_id)

    def _changed(self, match_id: str) -> None:
        if self.relay is not None:
            self.relay.tell_changed(match_id)
        self._refresh_soon(match_id)

    def _refresh_soon(self, match_id: str) -> None:
        self.lobby_changed.set()
        live = self.matches.get(match_id)
        if live is not None:
            live.outdated = True
            self.tasks.spawn(self.refresh(live))

    async def refresh(self, live: LiveMatch) -> None:
        """Read a match anew and send everyone its snapshot."""
        await self.load(live)
        loaded = live.loaded
        if loaded is None:
            return
        texts: dict[tuple[int, ...], str] = {}
        for socket in live.sockets:
            was = socket.you
            socket.you = loaded.seats_of(socket.guest_id)
            if socket.you != was:
                self.hear(live, socket)
            if socket.you not in texts:
                texts[socket.you] = self._snapshot(live, socket.you)
            push_to((socket,), texts[socket.you])

    async def rematch_changed(self, live: LiveMatch) -> None:
        """A rematch was offered or begun: tell everyone, spectators too, where it goes on."""
        live.outdated = True
        await self.load(live)
        assert live.loaded is not None
        self.broadcast(live, protocol.encode({"type": "rematch", **protocol.rematch(live.loaded)}))
        self.lobby_changed.set()
        if self.relay is not None:
            self.relay.tell_changed(live.id)

    def _snapshot(self, live: LiveMatch, you: tuple[int, ...]) -> str:
        assert live.loaded is not None
        return protocol.encode({**protocol.snapshot(live.loaded), "you": you})

    # --- Presence ---------------------------------------------------------------------------

    @property
    def presence_known(self) -> bool:
        return self.relay is None or self.relay.is_settled

    def spectators_of(self, match_id: str) -> int:
        """How many watch a match, here and elsewhere. Safe in any thread."""
        live, since = self.matches.get(match_id), time.time() - TOLD_FOR
        return (live.spectators if live else 0) + sum(
            told.spectators.get(match_id, 0)
            for told in list(self._told.values())
            if told.at > since
        )

    def presence_of(self, live: LiveMatch) -> dict[str, Any]:
        assert live.loaded is not None
        now = time.time()
        spectators = self.spectators_of(live.id)
        return presence.message(live.loaded, live.presence, spectators, self.presence_known, now)

    def presence_text(self, message: dict[str, Any]) -> str:
        claim = message["claim"]
        if claim is not None:
            # Rounded up: who claims when the countdown ends must not be told that it is too early.
            seconds = max(0.0, math.ceil((claim["at"] - time.time()) * 10) / 10)
            message = {**message, "claim": {"seat": claim["seat"], "in": seconds}}
        return protocol.encode(message)

    # --- Convergence ------------------------------------------------------------------------

    async def reconcile_all(self) -> None:
        """Compare what is loaded with the database; send a snapshot where something was missed."""
        matches = [
            live for live in self.matches.values() if live.loaded is not None and live.sockets
        ]
        async for part in spread(matches, RECONCILE_EVERY / 2):
            await self.reconcile(part)

    async def reconcile(self, matches: Iterable[LiveMatch]) -> None:
        by_id = {live.id: live for live in matches if not live.writing}
        stored = await database.read(selectors.fingerprints, list(by_id))
        differ = [match_id for match_id in stored if _differs(by_id[match_id], stored[match_id])]
        if not differ:
            return
        # Word of it may be on its way from the process that has written it.
        await asyncio.sleep(WORD_TAKES)
        for match_id in differ:
            if _differs(by_id[match_id], stored[match_id]):
                RESYNCS.inc()
                await self.refresh(by_id[match_id])

    # --- Other processes --------------------------------------------------------------------

    def heard_from_elsewhere(self, kind: str, who: str, data: Any) -> None:
        now = time.time()
        if kind == "actions":
            match_id, actions = data
            self._take_over(match_id, [selectors.StoredAction(*action) for action in actions])
        elif kind == "reaction":
            self._show_reaction(*data)
        elif kind == "changed":
            self._refresh_soon(data)
        elif kind == "presence":
            self._take_presence(who, data, now)
        elif kind == "back":
            # Redis was away: whatever was said meanwhile is lost.
            self.tasks.spawn(self.reconcile_all())

    def _take_presence(self, who: str, matches: dict[str, Any], now: float) -> None:
        """Another process's whole knowledge of who is there, as it says it once a second."""
        told = {match_id: spectators for match_id, (_, spectators) in matches.items()}
        before = self._told.get(who)
        self._told = {each: said for each, said in self._told.items() if now - said.at < TOLD_FOR}
        self._told[who] = Told(now, told)
        if before is None or before.spectators != told:
            self.lobby_changed.set()
        for match_id, (ages, _) in matches.items():
            if live := self.matches.get(match_id):
                heard = live.presence.heard_elsewhere
                for seat, age in ages.items():
                    heard[int(seat)] = max(heard.get(int(seat), 0.0), now - age)

    def _take_over(self, match_id: str, actions: list[selectors.StoredAction]) -> None:
        """Actions another process has committed."""
        live = self.matches.get(match_id)
        if live is None:
            self.lobby_changed.set()
            return
        loaded = live.loaded
        new = [action for action in actions if loaded and action.version > loaded.version]
        if loaded is None or live.loading or (new and new[0].version != loaded.version + 1):
            live.outdated = True
            if live.loading is None:
                self.tasks.spawn(self.refresh(live))
        elif new:
            self.show(live, loaded.replay(new))


async def spread(
    matches: Sequence[LiveMatch], seconds: float
) -> AsyncIterator[Sequence[LiveMatch]]:
    """All matches in parts, with pauses between them."""
    pause = seconds * MATCHES_AT_ONCE / max(1, len(matches))
    for start in range(0, len(matches), MATCHES_AT_ONCE):
        if start:
            await asyncio.sleep(pause)
        yield matches[start : start + MATCHES_AT_ONCE]


def _differs(live: LiveMatch, stored: tuple[Any, ...]) -> bool:
    """Whether the database knows something newer than this live."""
    loaded = live.loaded
    if loaded is None or live.writing or stored[0] < loaded.version:
        return False  # it moved on while we read
    return stored != loaded.fingerprint
