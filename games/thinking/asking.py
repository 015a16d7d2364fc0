"""Asking the solver. Computers' moves come first; everyone else gets one thought at a time.

A *thought* is a question that somebody is waiting to have answered. The same question asked by
several people is one thought. When nobody waits for it any more, it is cancelled.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, TypeAlias, TypeVar

from games.refusals import Refusal
from games.rules import Move
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking import pool
from games.thinking.pool import Pool
from games.thinking.queue import Queue, busy

R = TypeVar("R")

REPLACED = Template(_("You asked about something else in the meantime, so this was dropped."))

# Computers have workers of their own, so that no hint or review delays a move. Together they leave
# one core to the server, if there are more than two.
CORES = os.cpu_count() or 1
FOR_COMPUTERS, FOR_PEOPLE = max(1, CORES // 2), max(1, (CORES - 1) // 2)
# In seconds, including the time in the queue.
LONGEST_THOUGHT = 30.0
# How many of the computers' moves wait. A match that is refused asks again a few seconds later.
MOST_MOVES = 500
# How many thoughts there are at a time: of everyone, of one network (a class of thirty), and of
# all those in one network who have no guest's id. Beyond that the answer is `busy`.
MOST_THOUGHTS, MOST_IN_NETWORK, MOST_WITHOUT_ID = 64, 32, 8
# How many people may wait for the same thought.
MOST_WAITING = 200
# The answers used last are cached. The largest, reviews of long matches, take 150 KB each.
MOST_KEPT = 100

# Runs one of the pool's functions in a worker.
Run: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]


def replaced() -> Refusal:
    return Refusal("replaced", REPLACED(), 429, 1.0)


@dataclass(frozen=True)
class Asker:
    """Somebody who asks. Without a guest's id, they are counted by network.

    Create one as soon as a question arrives: `order` tells which of a guest's questions is newer,
    even if the older one was held up by the database.
    """

    guest_id: int | None
    network: str
    order: int = field(default_factory=count().__next__, compare=False)


class Thought:
    """Something being worked out, and those who wait for it."""

    def __init__(self, asker: Asker, task: asyncio.Task[Any]) -> None:
        self.asker, self.task = asker, task
        self.waiting: dict[asyncio.Future[Any], Asker] = {}


class Thinking:
    longest_thought = LONGEST_THOUGHT

    def __init__(self) -> None:
        self._computers = Queue(Pool(FOR_COMPUTERS), MOST_MOVES)
        self._people = Queue(Pool(FOR_PEOPLE), MOST_THOUGHTS)
        self._thoughts: dict[Hashable, Thought] = {}
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    async def choose_move(self, network: str, slug: str, state: dict[str, Any], level: str) -> Move:
        """Return the computer's move in a match that is played from this network."""
        move: Move = await self._run(self._computers, network, pool.choose, slug, state, level)
        return move

    async def ask(
        self, asker: Asker, key: Hashable, work: Callable[[Run], Coroutine[Any, Any, R]]
    ) -> R:
        """Return the answer to the question with this key. It must always be the same answer.

        `work` finds it, with a function that runs the solver in a worker. Raises the refusals
        `busy`, or `replaced` if the same guest asks another question in the meantime. How often
        somebody may ask is for the caller to limit, with `limits.require_thought`.
        """
        self._replace(asker, key)
        if key in self._answers:
            self._answers.move_to_end(key)
            known: R = self._answers[key]
            return known
        thought = self._thoughts.get(key) or self._begin(asker, key, work)
        if len(thought.waiting) >= MOST_WAITING:
            raise busy()
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        thought.waiting[answer] = asker
        try:
            return await answer
        finally:
            self._leave(key, thought, answer)

    def end(self) -> None:
        """Stop the workers."""
        self._computers.pool.end()
        self._people.pool.end()

    def _replace(self, asker: Asker, key: Hashable) -> None:
        """Stop this guest's waiting for anything else: only the newest question counts."""
        if asker.guest_id is None:
            return
        for other, thought in list(self._thoughts.items()):
            for answer, waiting in list(thought.waiting.items()):
                if other == key or waiting.guest_id != asker.guest_id or answer.done():
                    continue
                if waiting.order > asker.order:
                    raise replaced()
                answer.set_exception(replaced())
                self._leave(other, thought, answer)

    def _begin(
        self, asker: Asker, key: Hashable, work: Callable[[Run], Coroutine[Any, Any, Any]]
    ) -> Thought:
        askers = [thought.asker for thought in self._thoughts.values()]
        nearby = [other for other in askers if other.network == asker.network]
        without_id = [other for other in nearby if other.guest_id is None]
        if (
            len(askers) >= MOST_THOUGHTS
            or len(nearby) >= MOST_IN_NETWORK
            or (asker.guest_id is None and len(without_id) >= MOST_WITHOUT_ID)
        ):
            raise busy()
        run = partial(self._run, self._people, asker.network)
        task = asyncio.get_running_loop().create_task(work(run))
        thought = self._thoughts[key] = Thought(asker, task)
        task.add_done_callback(lambda _: self._answer(key, thought))
        return thought

    def _answer(self, key: Hashable, thought: Thought) -> None:
        """Give the answer to everyone who waits for it."""
        self._drop(key, thought)
        task = thought.task
        error = busy() if task.cancelled() else task.exception()
        for answer in thought.waiting:
            if answer.done():
                continue
            if error is None:
                answer.set_result(task.result())
            else:
                answer.set_exception(error)
        if error is None:
            self._answers[key] = task.result()
            if len(self._answers) > MOST_KEPT:
                self._answers.popitem(last=False)

    def _leave(self, key: Hashable, thought: Thought, answer: asyncio.Future[Any]) -> None:
        """Wait no more. If nobody else does, cancel the thought."""
        thought.waiting.pop(answer, None)
        if not thought.waiting and not thought.task.done():
            self._drop(key, thought)
            thought.task.cancel()

    def _drop(self, key: Hashable, thought: Thought) -> None:
        if self._thoughts.get(key) is thought:
            del self._thoughts[key]

    async def _run(self, queue: Queue, network: str, function: Callable[..., R], *args: Any) -> R:
        """Run one of the pool's functions. Raises the refusal `busy` if there is no answer in time,
        or if the process working on it died."""
        try:
            async with asyncio.timeout(self.longest_thought):
                return await queue.run(network, function, *args)
        except (TimeoutError, BrokenProcessPool, OSError) as error:
            raise busy() from error
