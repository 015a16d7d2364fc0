"""The writer: the one way in which moves and decisions of live matches are made.

Everything queued while a commit runs goes into the next one. A match has one write in flight; the
next for the same match is judged after it. Nobody is told of anything that is not committed.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import DatabaseError, connection

from games import services
from games.live import database, presence, protocol
from games.live.held import Entry, Rejected, stale_version
from games.live.hub import HUB, Hub, Room
from games.live.socket import Socket
from games.rules import Seat
from games.services import Conflict, Refused, Writing

logger = logging.getLogger(__name__)

LONGEST_QUEUE = 10_000

Request = protocol.Move | protocol.Resign | protocol.Claim | protocol.Rematch


@dataclass(eq=False)
class Item:
    """What one client wants; `again` are sockets that have sent the same id meanwhile."""

    room: Room
    socket: Socket
    request: Request
    seats: tuple[Seat, ...]
    again: list[Socket] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, tuple[Seat, ...], str]:
        return self.room.id, self.seats, self.request.id

    def seat(self) -> Seat:
        """For whom it is: on one device, for the player whose turn it is."""
        assert self.room.held is not None
        turn: Seat = self.room.held.state.turn
        return turn if turn in self.seats else self.seats[0]


class Writer:
    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._queue: list[Item] = []
        self._pending: dict[tuple[str, tuple[Seat, ...], str], Item] = {}
        self._running: asyncio.Task[None] | None = None

    def submit(self, room: Room, socket: Socket, request: Request) -> None:
        """Queue a request. Its answer is an update to everyone or a rejection to its sender."""
        held = room.held
        assert held is not None
        seats = socket.you
        if not seats:
            raise Rejected(
                "spectator", "You are watching this match; only its players can do that."
            )
        for seat in seats:
            if entry := held.found(seat, request.id):
                socket.push(protocol.update(held, entry))
                return
        item = Item(room, socket, request, seats)
        if known := self._pending.get(item.key):
            known.again.append(socket)
            return
        if len(self._queue) >= LONGEST_QUEUE:
            raise Rejected("busy", "The server is very busy. Try again in a moment.")
        self._pending[item.key] = item
        self._queue.append(item)
        if self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._queue:
                batch = self._take_batch()
                try:
                    await self._process(batch)
                except Exception:
                    logger.exception("A batch of %s failed", len(batch))
                    for item in batch:
                        if item.key in self._pending:
                            self._reject(item, not_saved())
                finally:
                    for item in batch:
                        item.room.writing = False
        finally:
            self._running = None

    def _take_batch(self) -> list[Item]:
        """The first queued item of every match; the others wait for the next batch."""
        batch: dict[str, Item] = {}
        rest = []
        for item in self._queue:
            if item.room.id in batch:
                rest.append(item)
            else:
                batch[item.room.id] = item
                item.room.writing = True
        self._queue = rest
        return list(batch.values())

    async def _process(self, batch: list[Item]) -> None:
        judged: list[tuple[Item, list[Entry]]] = []
        rematches = []
        for item in batch:
            if isinstance(item.request, protocol.Rematch):
                rematches.append(item)
                continue
            try:
                judged.append((item, self._judge(item)))
            except Rejected as rejection:
                self._reject(item, rejection)
        if judged:
            writings = [
                Writing(
                    item.room.id,
                    [entry.action for entry in entries],
                    entries[-1].outcome.winner if entries[-1].outcome else None,
                )
                for item, entries in judged
            ]
            results = await database.write(commit, writings)
            for (item, entries), result in zip(judged, results, strict=True):
                if result is True:
                    self._accept(item, entries)
                elif result is False:
                    await self._conflict(item)
                else:
                    logger.error("An action of %s was not saved: %s", item.room.id, result)
                    self._reject(item, not_saved())
        for item in rematches:
            await self._rematch(item)

    def _judge(self, item: Item) -> list[Entry]:
        held = item.room.held
        assert held is not None
        request, seat = item.request, item.seat()
        if isinstance(request, protocol.Move):
            return held.judge_move(seat, request.move, request.version, request.id)
        if isinstance(request, protocol.Claim):
            if held.outcome is None:
                presence.check_claim(
                    held, item.room.presence, seat, self.hub.presence_known, time.time()
                )
            return held.judge_decision(seat, "claim", request.id)
        return held.judge_decision(seat, "resign", request.id)

    def _accept(self, item: Item, entries: list[Entry]) -> None:
        del self._pending[item.key]
        self.hub.publish(item.room, entries)
        assert item.room.held is not None
        for socket in item.again:
            socket.push(protocol.update(item.room.held, entries[0]))

    async def _conflict(self, item: Item) -> None:
        """Another process was first: see what it did before answering."""
        await self.hub.refresh(item.room)
        held = item.room.held
        assert held is not None
        for seat in item.seats:
            if entry := held.found(seat, item.request.id):
                self._accept(item, [entry])
                return
        self._reject(item, stale_version())

    async def _rematch(self, item: Item) -> None:
        try:
            await database.write(services.offer_rematch, match_id=item.room.id, seat=item.seats[0])
        except Refused as refusal:
            self._reject(item, Rejected(refusal.code, refusal.text))
            return
        del self._pending[item.key]
        await self.hub.rematch_changed(item.room)

    def _reject(self, item: Item, rejection: Rejected) -> None:
        del self._pending[item.key]
        version = item.room.held.version if item.room.held else 0
        text = protocol.rejected(rejection, item.request.id, version)
        for socket in (item.socket, *item.again):
            socket.push(text)


def not_saved() -> Rejected:
    return Rejected(
        "not_saved", "That could not be saved just now, and nothing changed. Try again."
    )


def commit(writings: Sequence[Writing]) -> list[bool | DatabaseError]:
    """Write a batch: True is in, False met another action, an error was not saved.

    If the batch fails it is rolled back, and each of its items gets a chance of its own: one bad
    item must not take the others with it.
    """
    try:
        services.write_actions(writings)
        return [True] * len(writings)
    except Conflict:
        if len(writings) == 1:
            return [False]
    except DatabaseError as error:
        if "locked" in str(error) or "lock timeout" in str(error):
            # Whoever waits has waited long enough.
            return [error] * len(writings)
        connection.close()
    return [_commit_alone(writing) for writing in writings]


def _commit_alone(writing: Writing) -> bool | DatabaseError:
    try:
        # A commit may have gone through although its confirmation did not.
        if not services.is_written(writing):
            services.write_actions([writing])
        return True
    except Conflict:
        return False
    except DatabaseError as error:
        connection.close()
        return error


WRITER = Writer(HUB)
