"""The writer: every move and decision of a live match goes through it.

Everything queued during a commit goes into the next one. Each match has at most one write in
flight; its next request is checked after that. Nothing is announced before it is committed.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable

from django.db import DatabaseError

from games.live import presence, protocol
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.metrics import BATCH_SIZE, COMMIT_SECONDS, MOVES, REJECTED
from games.live.resent import Resent
from games.live.socket import Socket, push_to
from games.matches import database, rematches
from games.matches.action_log import Writing
from games.matches.commits import Commits
from games.matches.loaded_match import Entry, stale_version
from games.refusals import Refusal
from games.rules import Seat
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking.queue import busy

logger = logging.getLogger(__name__)

ONLY_PLAYERS = Template(_("You're watching this match. Only its players can do that."))
NOT_SAVED = Template(_("That couldn't be saved, and nothing changed. Try again."))

LONGEST_QUEUE = 10_000

Request = protocol.Move | protocol.Resign | protocol.Claim | protocol.Rematch


class Item:
    """One request from a player; `sockets` are all the sockets that sent it with the same id."""

    __slots__ = ("key", "live", "request", "seats", "sockets")

    def __init__(
        self, live: LiveMatch, seats: tuple[Seat, ...], request: Request, sockets: list[Socket]
    ) -> None:
        self.live, self.seats, self.request, self.sockets = live, seats, request, sockets
        self.key = (live.id, seats, request.id)

    @property
    def serial(self) -> int:
        assert self.live.loaded is not None
        return self.live.loaded.row.serial

    def seat(self) -> Seat:
        """The seat that makes this request. On one device it is the seat whose turn it is."""
        assert self.live.loaded is not None
        turn: Seat = self.live.loaded.state.turn
        return turn if turn in self.seats else self.seats[0]


class Writer:
    def __init__(self, hub: Hub, commits: Commits) -> None:
        self.hub, self.commits = hub, commits
        self.resent = Resent(hub.tasks)
        self._queue: list[Item] = []
        self._pending: dict[tuple[str, tuple[Seat, ...], str], Item] = {}
        self._running: asyncio.Task[None] | None = None

    def submit(self, live: LiveMatch, socket: Socket, request: Request) -> None:
        """Queue a request. The answer is an update to everyone or a rejection to the sender."""
        loaded = live.loaded
        assert loaded is not None
        seats = seats_of_player(socket)
        for seat in seats:
            if version := loaded.version_of(seat, request.id):
                self.resent.answer(live, socket, version)
                return
        self._queue_up(Item(live, seats, request, [socket]))

    def submit_for(self, live: LiveMatch, seat: Seat, request: Request) -> None:
        """Queue a request from the computer, which needs no answer."""
        self._queue_up(Item(live, (seat,), request, []))

    def _queue_up(self, item: Item) -> None:
        if known := self._pending.get(item.key):
            known.sockets += item.sockets
            return
        if len(self._queue) >= LONGEST_QUEUE:
            raise busy()
        self._pending[item.key] = item
        self._queue.append(item)
        if self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def finished(self) -> None:
        """Wait until everything queued has been answered."""
        while self._running is not None:
            await self._running

    async def _run(self) -> None:
        try:
            while self._queue:
                # Include requests that have already arrived: a larger batch costs less per move.
                await asyncio.sleep(0)
                batch = self._take_batch()
                try:
                    await self._process(batch)
                except database.AWAY as error:
                    # Committed items have already been announced.
                    logger.warning("The database is away: %s", database.first_line(error))
                except Exception:
                    logger.exception("A batch of %s failed", len(batch))
                finally:
                    for item in batch:
                        item.live.writing = False
                        if self._pending.get(item.key) is item:
                            self._reject(item, not_saved())
        finally:
            self._running = None

    def _take_batch(self) -> list[Item]:
        """Take the first queued item of every match; the others wait for the next batch."""
        batch: dict[str, Item] = {}
        rest = []
        for item in self._queue:
            if item.live.id in batch:
                rest.append(item)
            else:
                batch[item.live.id] = item
                item.live.writing = True
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
                await self._catch_up(item)
                judged.append((item, self._judge(item)))
            except Refusal as refusal:
                self._reject(item, refusal)
            except Exception as error:
                self._failed(item, error)
        if judged:
            writings = [
                Writing(
                    item.serial,
                    [entry.action for entry in entries],
                    entries[-1].outcome.winner if entries[-1].outcome else None,
                )
                for item, entries in judged
            ]
            BATCH_SIZE.observe(len(writings))
            with COMMIT_SECONDS.time():
                results = await self.commits.save(writings)
            answered = list(zip(judged, results, strict=True))
            for (item, entries), result in answered:
                if result is True:
                    self._accept(item, entries)
            MOVES.inc(sum(len(entries) for (_, entries), result in answered if result is True))
            for (item, _), result in answered:
                if result is False:
                    await self._isolated(item, self._conflict(item))
                elif isinstance(result, DatabaseError):
                    self._not_saved(item, result)
        for item in rematches:
            await self._isolated(item, self._rematch(item))

    async def _isolated(self, item: Item, work: Awaitable[None]) -> None:
        """Finish one item. If that fails, the other items of the batch continue."""
        try:
            await work
        except Exception as error:
            self._failed(item, error)

    def _failed(self, item: Item, error: Exception) -> None:
        if isinstance(error, database.AWAY):
            logger.warning("The database is away: %s", database.first_line(error))
        else:
            logger.error("A request failed", exc_info=error, extra={"match": item.live.id})
        if self._pending.get(item.key) is item:
            self._reject(item, not_saved())

    async def _catch_up(self, item: Item) -> None:
        """Reload if the client has a newer version, because another process has made a move."""
        assert item.live.loaded is not None
        known = getattr(item.request, "version", 0)
        if self.hub.relay is not None and known > item.live.loaded.version:
            await self.hub.refresh(item.live)

    def _judge(self, item: Item) -> list[Entry]:
        loaded = item.live.loaded
        assert loaded is not None
        request, seat = item.request, item.seat()
        if isinstance(request, protocol.Move):
            return loaded.judge_move(seat, request.move, request.version, request.id)
        if isinstance(request, protocol.Claim):
            if loaded.outcome is None:
                presence.check_claim(
                    loaded, item.live.presence, seat, self.hub.presence_known, time.monotonic()
                )
            return loaded.judge_decision(seat, "claim", request.id)
        return loaded.judge_decision(seat, "resign", request.id)

    def _accept(self, item: Item, entries: list[Entry]) -> None:
        """Show committed entries. They are saved, so a failure here must not reject them."""
        del self._pending[item.key]
        try:
            self.hub.committed(item.live, entries, item.live.show(entries))
            if len(item.sockets) > 1:
                assert item.live.loaded is not None
                push_to(item.sockets[1:], protocol.update(item.live.loaded, entries[0]))
        except Exception:
            logger.exception("A saved action could not be shown", extra={"match": item.live.id})
            # Send everyone a snapshot instead.
            self.hub.tasks.spawn(self.hub.refresh(item.live))

    async def _conflict(self, item: Item) -> None:
        """Answer after another process was first: reload the match to see what it did."""
        await self.hub.refresh(item.live)
        loaded = item.live.loaded
        assert loaded is not None
        for seat in item.seats:
            if version := loaded.version_of(seat, item.request.id):
                self._accept(item, [loaded.entry(version)])
                return
        self._reject(item, stale_version())

    async def _rematch(self, item: Item) -> None:
        try:
            await database.write(
                rematches.offer_rematch,
                match_id=item.live.id,
                seat=item.seats[0],
                network=item.sockets[0].address,
            )
        except Refusal as refusal:
            self._reject(item, refusal)
            return
        except database.AWAY as error:
            self._not_saved(item, error)
            return
        del self._pending[item.key]
        await self.hub.rematch_changed(item.live)

    def _not_saved(self, item: Item, error: Exception) -> None:
        reason = database.first_line(error)
        logger.error("An action was not saved: %s", reason, extra={"match": item.live.id})
        self._reject(item, not_saved())

    def _reject(self, item: Item, refusal: Refusal) -> None:
        del self._pending[item.key]
        REJECTED.labels(refusal.code).inc()
        version = item.live.loaded.version if item.live.loaded else 0
        text = protocol.rejected(refusal, item.request.id, version)
        push_to(item.sockets, text)


def seats_of_player(socket: Socket) -> tuple[Seat, ...]:
    """Return the seats this socket plays; raise a `Refusal` if it only watches."""
    if not socket.you:
        raise Refusal("spectator", ONLY_PLAYERS())
    return socket.you


def not_saved() -> Refusal:
    return Refusal("not_saved", NOT_SAVED())
