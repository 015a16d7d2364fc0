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
# In seconds. A request that comes this long after the last batch was saved has come alone. Reading
# the next one that has already arrived takes 8 to 17 µs, and the answer of a client 20 to 60.
ALONE = 0.00002
# While a batch is in flight, smaller ones wait for it: each commit has its price.
ENOUGH_FOR_ANOTHER = 16

Request = protocol.Move | protocol.Resign | protocol.Claim | protocol.Rematch


class Item:
    """One request from a player; `sockets` are all the sockets that sent it with the same id."""

    __slots__ = ("key", "live", "request", "seats", "seen", "sockets")

    def __init__(
        self, live: LiveMatch, seats: tuple[Seat, ...], request: Request, sockets: list[Socket]
    ) -> None:
        self.live, self.seats, self.request, self.sockets = live, seats, request, sockets
        self.key = (live.id, seats, request.id)
        # The actions up to this version don't include this request.
        self.seen = live.loaded.version if live.loaded else 0

    def seat(self) -> Seat:
        """The seat that makes this request. On one device it is the seat whose turn it is."""
        assert self.live.loaded is not None
        turn: Seat = self.live.loaded.state.turn
        return turn if turn in self.seats else self.seats[0]


Judged = tuple[Item, list[Entry]]


class Writer:
    def __init__(self, hub: Hub, commits: Commits) -> None:
        self.hub, self.commits = hub, commits
        self.resent = Resent(hub.tasks)
        self._queue: list[Item] = []
        self._pending: dict[tuple[str, tuple[Seat, ...], str], Item] = {}
        # Whether a batch is about to start, when the last one ended, and the tasks that wait for a
        # commit.
        self._is_starting = False
        self._ended = 0.0
        self._saving: set[asyncio.Task[None]] = set()

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
        self._continue()

    def _continue(self) -> None:
        """Start the next batch if there is one to start.

        A request that comes alone is saved at once. If many come, a batch starts in the event
        loop's next round, with everything that arrives in this one.
        """
        if not self._queue or self._is_starting or not self._may_start():
            return
        if time.perf_counter() - self._ended > ALONE:
            self._start_batch()
        else:
            self._is_starting = True
            asyncio.get_running_loop().call_soon(self._start_batch)

    def _may_start(self) -> bool:
        in_flight = len(self._saving)
        return not in_flight or (
            in_flight < self.commits.at_once and len(self._queue) >= ENOUGH_FOR_ANOTHER
        )

    async def finished(self) -> None:
        """Wait until everything queued has been answered."""
        while self._is_starting or self._saving:
            await (asyncio.wait(self._saving) if self._saving else asyncio.sleep(0))

    # --- Batches ----------------------------------------------------------------------------

    def _start_batch(self) -> None:
        """Check a batch and save it at once if that is quick; otherwise leave it to a task."""
        self._is_starting = False
        batch = self._take_batch()
        judged: list[Judged] = []
        late: list[Item] = []
        try:
            for item in batch:
                if self._must_wait(item):
                    late.append(item)
                else:
                    self._judge_into(judged, item)
            if judged and self._save_now(judged):
                judged = []
        except Exception:
            # Committed items have already been announced.
            logger.exception("A batch of %s failed", len(batch))
            judged, late = [], []
        if judged or late:
            saving = self._save_later(batch, judged, late)
            self._saving.add(asyncio.get_running_loop().create_task(saving))
        else:
            self._end_batch(batch)

    def _take_batch(self) -> list[Item]:
        """Take the first queued item of every match that has no write in flight."""
        batch, rest = [], []
        for item in self._queue:
            if item.live.writing:
                rest.append(item)
            else:
                batch.append(item)
                item.live.writing = True
        self._queue = rest
        return batch

    def _end_batch(self, batch: list[Item]) -> None:
        self._ended = time.perf_counter()
        for item in batch:
            item.live.writing = False
            if self._pending.get(item.key) is item:
                self._reject(item, not_saved())
        if batch:
            self._continue()

    def _save_now(self, judged: list[Judged]) -> bool:
        """Save and show a batch without waiting. False means that nothing was saved."""
        began = time.perf_counter()
        if not self.commits.save_now([writing_of(*one) for one in judged]):
            return False
        took = time.perf_counter() - began
        for item, entries in judged:
            self._accept(item, entries)
        # The players wait for the updates, and nobody for the metrics.
        observe(judged, took)
        return True

    async def _save_later(self, batch: list[Item], judged: list[Judged], late: list[Item]) -> None:
        """Save a batch for which the event loop has to wait."""
        try:
            if judged:
                await self._save(judged)
            for item in late:
                await self._isolated(item, self._save_late(item))
        except database.AWAY as error:
            logger.warning("The database is away: %s", database.first_line(error))
        except Exception:
            logger.exception("A batch of %s failed", len(batch))
        finally:
            task = asyncio.current_task()
            assert task is not None
            self._saving.discard(task)
            self._end_batch(batch)

    async def _save(self, judged: list[Judged]) -> None:
        began = time.perf_counter()
        results = await self.commits.save([writing_of(*one) for one in judged])
        answered = list(zip(judged, results, strict=True))
        took = time.perf_counter() - began
        observe([one for one, result in answered if result is True], took)
        for (item, entries), result in answered:
            if result is True:
                self._accept(item, entries)
        for (item, _entries), result in answered:
            if result is False:
                await self._isolated(item, self._conflict(item))
            elif isinstance(result, DatabaseError):
                self._not_saved(item, result)

    def _must_wait(self, item: Item) -> bool:
        """Return whether a request needs the database before it can be checked."""
        if isinstance(item.request, protocol.Move):
            # If the client has a newer version, another process has made a move.
            assert item.live.loaded is not None
            return self.hub.relay is not None and item.request.version > item.live.loaded.version
        return isinstance(item.request, protocol.Rematch)

    async def _save_late(self, item: Item) -> None:
        if isinstance(item.request, protocol.Rematch):
            await self._rematch(item)
            return
        await self.hub.refresh(item.live)
        judged: list[Judged] = []
        self._judge_into(judged, item)
        if judged:
            await self._save(judged)

    def _judge_into(self, judged: list[Judged], item: Item) -> None:
        """Check a request; if it is refused or was saved before, tell the sender."""
        try:
            if not self._was_saved(item):
                judged.append((item, self._judge(item)))
        except Refusal as refusal:
            self._reject(item, refusal)
        except Exception as error:
            self._failed(item, error)

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

    def _was_saved(self, item: Item) -> bool:
        """Answer a request that was saved while it was queued, by another socket or process.

        Nothing else keeps an id from being saved twice: an action goes in only after all that this
        process has loaded, and none of those may have its id.
        """
        loaded = item.live.loaded
        assert loaded is not None
        if loaded.version == item.seen:
            return False
        for seat in item.seats:
            if version := loaded.version_of(seat, item.request.id):
                self._accept(item, [loaded.entry(version)])
                return True
        return False

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
        if not self._was_saved(item):
            self._reject(item, stale_version())

    async def _rematch(self, item: Item) -> None:
        request = item.request
        assert isinstance(request, protocol.Rematch)
        try:
            await database.write(
                rematches.offer_rematch,
                match_id=item.live.id,
                seat=item.seats[0],
                network=item.sockets[0].address,
                game=request.game,
                withdraw=request.withdraw,
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


def writing_of(item: Item, entries: list[Entry]) -> Writing:
    assert item.live.loaded is not None
    outcome = entries[-1].result.outcome
    winner = outcome.winner if outcome else None
    return Writing(item.live.loaded.row.serial, [entry.action for entry in entries], winner)


def observe(saved: list[Judged], took: float) -> None:
    """Count a batch in the metrics."""
    BATCH_SIZE.observe(len(saved))
    COMMIT_SECONDS.observe(took)
    for _item, entries in saved:
        MOVES.value += len(entries)


def seats_of_player(socket: Socket) -> tuple[Seat, ...]:
    """Return the seats this socket plays; raise a `Refusal` if it only watches."""
    if not socket.you:
        raise Refusal("spectator", ONLY_PLAYERS())
    return socket.you


def not_saved() -> Refusal:
    return Refusal("not_saved", NOT_SAVED())
