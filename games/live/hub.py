"""The hub: this process's sockets, grouped by match, and the matches held for them.

Nothing delivers reliably, so nothing here relies on delivery: whoever misses a message notices by
`version`, and every few seconds the held matches are compared with the database.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any

from games import selectors
from games.live import database, presence, protocol
from games.live.frames import frame_of
from games.live.held import Entry, HeldMatch
from games.live.metrics import RESYNCS
from games.live.presence import TOLD_FOR, Told
from games.live.relay import Relay
from games.live.room import HELD_FOR, Room
from games.live.socket import Socket
from games.rules import Seat

logger = logging.getLogger(__name__)

RECONCILE_EVERY = 5.0
# What takes longer than a millisecond is done in parts of so many, and moves go in between. Parts
# of what is done every few seconds are spread over half of that time.
ROOMS_AT_ONCE = 20
SOCKETS_AT_ONCE = 50
# How long what one process has committed may take to the others.
WORD_TAKES = 0.3
Repeated = Callable[[], Awaitable[None]]


class Hub:
    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.relay: Relay | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._told: dict[str, Told] = {}
        self.lobby_changed = asyncio.Event()
        # How many actions this process has committed.
        self.written = 0
        # For those who act on what a match has become: called with its room.
        self.when_changed: Callable[[Room], None] = lambda room: None
        self._repeated: list[tuple[float, Repeated]] = [(RECONCILE_EVERY, self._reconcile)]

    # --- Starting ---------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the hub's own tasks, once for each event loop."""
        loop = asyncio.get_running_loop()
        if self.loop is loop:
            return
        self.loop = loop
        self.relay = Relay.from_settings(self._heard_from_elsewhere)
        if self.relay is not None:
            self.spawn(self.relay.listen())
        for seconds, function in self._repeated:
            self.spawn(self._every(seconds, function))

    def repeat(self, seconds: float, function: Repeated) -> None:
        """Have something done every so many seconds, from the start on."""
        self._repeated.append((seconds, function))

    def spawn(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(coroutine))
        # The loop itself only keeps weak references.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, coroutine: Any) -> None:
        """Nobody waits for a task of the hub's own, so here is where its failure is seen."""
        try:
            await coroutine
        except database.AWAY as error:
            logger.warning("The database is away: %s", database.first_line(error))
        except Exception:
            logger.exception("A task of the hub failed")

    async def _every(self, seconds: float, function: Repeated) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self._guarded(function())

    # --- Sockets ----------------------------------------------------------------------------

    def room(self, match_id: str) -> Room:
        """The room of a match, a new one if need be."""
        room = self.rooms.get(match_id)
        if room is None:
            room = self.rooms[match_id] = Room(match_id, time.time())
        return room

    async def enter(self, match_id: str, socket: Socket) -> Room | None:
        """Subscribe a socket, then send its snapshot: otherwise it could miss an update."""
        room = self.room(match_id)
        room.sockets.add(socket)
        room.steady_until = 0.0
        try:
            if room.held is None:
                await self.load(room)
        finally:
            if room.held is None:
                self.leave(room, socket)
        if room.held is None:
            return None
        socket.you = room.held.seats_of(socket.guest_id)
        self.hear(room, socket)
        self.send_snapshot(room, socket)
        socket.push(self.presence_text(self.presence_of(room)))
        if room.held.row.listed:
            self.lobby_changed.set()
        return room

    def leave(self, room: Room, socket: Socket) -> None:
        room.sockets.discard(socket)
        room.steady_until = 0.0
        if not room.sockets:
            room.empty_since = time.time()
            # Nobody to tell; it is looked at again when it may be let go of.
            room.steady_until = room.empty_since + HELD_FOR
            if room.held is None:
                self.rooms.pop(room.id, None)
        if room.held is not None and room.held.row.listed:
            self.lobby_changed.set()

    def hear(self, room: Room, socket: Socket) -> None:
        """A sign of life."""
        if socket.you:
            now = time.time()
            for seat in socket.you:
                room.presence.heard[seat] = now

    def send_snapshot(self, room: Room, socket: Socket) -> None:
        socket.push(self._snapshot(room, socket.you or ()))

    def broadcast(self, room: Room, text: str) -> None:
        """Tell everyone in a room. Where many watch, the players hear it first."""
        frame = frame_of(text)
        if len(room.sockets) <= SOCKETS_AT_ONCE and not room.untold:
            for socket in room.sockets:
                socket.push(text, frame)
            return
        for socket in room.sockets:
            if socket.you:
                socket.push(text, frame)
        room.untold.append((text, frame))
        if not room.telling:
            room.telling = True
            self.spawn(self._tell_spectators(room))

    async def _tell_spectators(self, room: Room) -> None:
        """A crowd is told in parts, so that nobody's move waits for it, here or in other rooms.

        What happens meanwhile goes out together in the next round.
        """
        try:
            while room.untold:
                texts, frames = zip(*room.untold, strict=True)
                room.untold.clear()
                together = b"".join(frames)
                spectators = [socket for socket in room.sockets if not socket.you]
                for start in range(0, len(spectators), SOCKETS_AT_ONCE):
                    for socket in spectators[start : start + SOCKETS_AT_ONCE]:
                        socket.push_together(texts, together)
                    await asyncio.sleep(0)
        finally:
            room.telling = False

    def count_sockets(self) -> int:
        return sum(len(room.sockets) for room in self.rooms.values())

    def count_live(self) -> int:
        """Matches that somebody here plays or watches and that are not over."""
        return sum(
            room.held is not None and room.held.is_live and bool(room.sockets)
            for room in self.rooms.values()
        )

    # --- Matches ----------------------------------------------------------------------------

    async def load(self, room: Room) -> None:
        """Read the match anew; callers at the same time share one reading."""
        if room.loading is None:
            room.loading = asyncio.get_running_loop().create_task(self._load(room))
        await asyncio.shield(room.loading)

    async def _load(self, room: Room) -> None:
        try:
            room.outdated = True
            while room.outdated:
                # News that comes while we read makes us read once more.
                room.outdated = False
                stored = await database.read(selectors.stored_match, room.id)
                if stored is not None:
                    room.held = HeldMatch(stored)
        finally:
            room.loading = None
        room.steady_until = 0.0
        self.when_changed(room)

    def publish(self, room: Room, entries: list[Entry]) -> None:
        """Committed entries: take them in, tell everyone here, tell the other processes."""
        # What is being read now may be older than this.
        room.outdated = True
        self.written += len(entries)
        self.show(room, entries)
        if self.relay is not None:
            self.relay.tell_actions(room.id, [entry.action for entry in entries])
        self.when_changed(room)

    def show(self, room: Room, entries: list[Entry]) -> None:
        held = room.held
        assert held is not None
        held.extend(entries)
        for entry in entries:
            self.broadcast(room, protocol.update(held, entry))
        if held.row.listed:
            self.lobby_changed.set()

    def react(self, match_id: str, by: Seat | None, reaction: str) -> None:
        """A reaction from a socket here: told to everyone, kept nowhere."""
        self._show_reaction(match_id, by, reaction)
        if self.relay is not None:
            self.relay.tell_reaction(match_id, by, reaction)

    def _show_reaction(self, match_id: str, by: Seat | None, reaction: str) -> None:
        if room := self.rooms.get(match_id):
            self.broadcast(room, protocol.reaction(by, reaction))

    def changed(self, match_id: str) -> None:
        """No action, but something else changed (joined, cancelled, …); from any thread."""
        if self.loop is not None and self.loop.is_running():
            self.loop.call_soon_threadsafe(self._changed, match_id)

    def _changed(self, match_id: str) -> None:
        if self.relay is not None:
            self.relay.tell_changed(match_id)
        self._refresh_soon(match_id)

    def _refresh_soon(self, match_id: str) -> None:
        self.lobby_changed.set()
        room = self.rooms.get(match_id)
        if room is not None:
            room.outdated = True
            self.spawn(self.refresh(room))

    async def refresh(self, room: Room) -> None:
        """Read a match anew and send everyone its snapshot."""
        await self.load(room)
        held = room.held
        if held is None:
            return
        texts: dict[tuple[int, ...], str] = {}
        for socket in room.sockets:
            was = socket.you
            socket.you = held.seats_of(socket.guest_id)
            if socket.you != was:
                self.hear(room, socket)
            if socket.you not in texts:
                texts[socket.you] = self._snapshot(room, socket.you)
            socket.push(texts[socket.you])

    async def rematch_changed(self, room: Room) -> None:
        """A rematch was offered or begun: tell everyone, spectators too, where it goes on."""
        room.outdated = True
        await self.load(room)
        assert room.held is not None
        self.broadcast(room, protocol.encode({"type": "rematch", **protocol.rematch(room.held)}))
        self.lobby_changed.set()
        if self.relay is not None:
            self.relay.tell_changed(room.id)

    def _snapshot(self, room: Room, you: tuple[int, ...]) -> str:
        assert room.held is not None
        return protocol.encode({**protocol.snapshot(room.held), "you": you})

    # --- Presence ---------------------------------------------------------------------------

    @property
    def presence_known(self) -> bool:
        return self.relay is None or self.relay.is_settled

    def spectators_of(self, match_id: str) -> int:
        """How many watch a match, here and elsewhere. Safe in any thread."""
        room, since = self.rooms.get(match_id), time.time() - TOLD_FOR
        return (room.spectators if room else 0) + sum(
            told.spectators.get(match_id, 0)
            for told in list(self._told.values())
            if told.at > since
        )

    def presence_of(self, room: Room) -> dict[str, Any]:
        assert room.held is not None
        now = time.time()
        spectators = self.spectators_of(room.id)
        return presence.message(room.held, room.presence, spectators, self.presence_known, now)

    def presence_text(self, message: dict[str, Any]) -> str:
        claim = message["claim"]
        if claim is not None:
            # Rounded up: who claims when the countdown ends must not be told that it is too early.
            seconds = max(0.0, math.ceil((claim["at"] - time.time()) * 10) / 10)
            message = {**message, "claim": {"seat": claim["seat"], "in": seconds}}
        return protocol.encode(message)

    # --- Convergence ------------------------------------------------------------------------

    async def _reconcile(self) -> None:
        """Compare what is held with the database; send a snapshot where something was missed."""
        rooms = [room for room in self.rooms.values() if room.held is not None and room.sockets]
        async for part in spread(rooms, RECONCILE_EVERY / 2):
            await self.reconcile(part)

    async def reconcile(self, rooms: Iterable[Room]) -> None:
        by_id = {room.id: room for room in rooms if not room.writing}
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

    def _heard_from_elsewhere(self, kind: str, who: str, data: Any) -> None:
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
            self.spawn(self._reconcile())

    def _take_presence(self, who: str, rooms: dict[str, Any], now: float) -> None:
        """Another process's whole knowledge of who is there, as it says it once a second."""
        told = {match_id: spectators for match_id, (_, spectators) in rooms.items()}
        before = self._told.get(who)
        self._told = {each: said for each, said in self._told.items() if now - said.at < TOLD_FOR}
        self._told[who] = Told(now, told)
        if before is None or before.spectators != told:
            self.lobby_changed.set()
        for match_id, (ages, _) in rooms.items():
            if room := self.rooms.get(match_id):
                heard = room.presence.heard_elsewhere
                for seat, age in ages.items():
                    heard[int(seat)] = max(heard.get(int(seat), 0.0), now - age)

    def _take_over(self, match_id: str, actions: list[selectors.StoredAction]) -> None:
        """Actions another process has committed."""
        room = self.rooms.get(match_id)
        if room is None:
            self.lobby_changed.set()
            return
        held = room.held
        new = [action for action in actions if held and action.version > held.version]
        if held is None or room.loading or (new and new[0].version != held.version + 1):
            room.outdated = True
            if room.loading is None:
                self.spawn(self.refresh(room))
        elif new:
            self.show(room, held.replay(new))


async def spread(rooms: Sequence[Room], seconds: float) -> AsyncIterator[Sequence[Room]]:
    """All rooms in parts, with pauses between them."""
    pause = seconds * ROOMS_AT_ONCE / max(1, len(rooms))
    for start in range(0, len(rooms), ROOMS_AT_ONCE):
        if start:
            await asyncio.sleep(pause)
        yield rooms[start : start + ROOMS_AT_ONCE]


def _differs(room: Room, stored: tuple[Any, ...]) -> bool:
    """Whether the database knows something newer than this room."""
    held = room.held
    if held is None or room.writing or stored[0] < held.version:
        return False  # it moved on while we read
    return stored != held.fingerprint


HUB = Hub()
