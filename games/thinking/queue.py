"""The queue in front of a pool of workers. Networks take turns, so one can't hold up the others.

Work that nobody waits for any more leaves the queue and is never started.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking.pool import Pool

R = TypeVar("R")

BUSY = Template(_("The server is very busy. Try again in a moment."))
# In seconds.
TRY_AGAIN_AFTER = 2.0


def busy() -> Refusal:
    return Refusal("busy", BUSY(), 503, TRY_AGAIN_AFTER)


class Queue:
    def __init__(self, pool: Pool, longest: int) -> None:
        self.pool, self.longest = pool, longest
        # The work of each network that waits, by the future that gets its result. The networks
        # are in the order of their turns.
        self._waiting: OrderedDict[str, dict[asyncio.Future[Any], Callable[[], Future[Any]]]]
        self._waiting = OrderedDict()
        self._running: set[Future[Any]] = set()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    async def run(self, network: str, function: Callable[..., R], *args: Any) -> R:
        """Run a function in a worker when it is this network's turn.

        Raises the refusal `busy` if the queue is full, and `BrokenProcessPool` or `OSError` if the
        worker dies or can't be started.
        """
        if len(self) >= self.longest:
            raise busy()
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        begin = partial(self.pool.ask, function, *args)
        self._waiting.setdefault(network, {})[answer] = begin
        self._fill()
        try:
            return await answer
        finally:
            self._forget(network, answer)

    def _forget(self, network: str, answer: asyncio.Future[Any]) -> None:
        if line := self._waiting.get(network):
            line.pop(answer, None)
            if not line:
                del self._waiting[network]

    def _fill(self) -> None:
        """Start the next in the queue on every worker that is free."""
        self._running = {asked for asked in self._running if not asked.done()}
        while self._waiting and len(self._running) < self.pool.workers:
            network, line = self._waiting.popitem(last=False)
            answer = next(iter(line))
            begin = line.pop(answer)
            if line:
                # This network's next turn comes after everyone else's.
                self._waiting[network] = line
            self._start(begin, answer)

    def _start(self, begin: Callable[[], Future[Any]], answer: asyncio.Future[Any]) -> None:
        try:
            asked = begin()
        except (BrokenProcessPool, OSError) as error:
            answer.set_exception(error)
            return
        self._running.add(asked)
        loop = answer.get_loop()

        def tell(asked: Future[Any]) -> None:
            # The loop is closed if the server has stopped.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._done, asked, answer)

        asked.add_done_callback(tell)

    def _done(self, asked: Future[Any], answer: asyncio.Future[Any]) -> None:
        if not answer.done():
            if asked.cancelled():
                answer.set_exception(BrokenProcessPool("The pool was shut down"))
            elif error := asked.exception():
                answer.set_exception(error)
            else:
                answer.set_result(asked.result())
        self._fill()
