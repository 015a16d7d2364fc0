"""Runs the solver in worker processes. In a thread it would block the interpreter for everyone.

Only slugs, JSON and plain values go in and out, so the workers import only the rules and the
solver.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from multiprocessing.connection import Connection
from random import SystemRandom
from typing import Any, TypeVar
from weakref import WeakSet

from games import solver
from games.rules import GAMES, Move, Seat

R = TypeVar("R")

# People's moves come first. But on a machine with all cores busy the computer must make progress
# too. In Linux's idle class it would get a thousandth of a core.
NICENESS = 10
# In seconds. Linux lets a running process go on for some milliseconds even if another wants the
# core, so the workers yield far more often. Each yield costs them their turn, so a task that has
# taken long because every core is busy yields less often.
GIVES_WAY_EVERY = 0.00005
PART_OF_AGE = 1 / 500
# In seconds of a core. The solver's budget ends a thought far sooner; this is the fallback.
LONGEST_WORK = 5.0

# All pools of this process, so that its server can end them when it stops.
_pools: "WeakSet[Pool]" = WeakSet()


class Pool:
    """A number of workers, which are started when they are first needed."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor: ProcessPoolExecutor | None = None
        # Stays open while the workers are needed.
        self._line: Connection | None = None
        self._making = threading.Lock()
        _pools.add(self)

    def ask(self, function: Callable[..., R], *args: Any) -> Future[R]:
        """Run one of the functions below in a worker. Replace the workers if they have died."""
        with self._making:
            for _ in range(2):
                if self._executor is None:
                    context = multiprocessing.get_context("spawn")
                    workers_end, self._line = context.Pipe(duplex=False)
                    self._executor = ProcessPoolExecutor(
                        self.workers, context, _begin, (workers_end,)
                    )
                try:
                    return self._executor.submit(_work_out, function, *args)
                except BrokenProcessPool:
                    self._executor = None
            raise BrokenProcessPool("No worker process could be started")

    def end(self) -> None:
        """Stop the workers. The next question starts new ones."""
        with self._making:
            if self._executor is not None and self._line is not None:
                self._line.close()
                # The workers have ended by now, so this is quick.
                self._executor.shutdown(cancel_futures=True)
                self._executor = None


def end() -> None:
    """Stop the workers of all pools, because the server is stopping."""
    for pool in list(_pools):
        pool.end()


def _begin(line: Connection) -> None:
    os.nice(NICENESS)
    # Ctrl-C goes to the whole process group, but the server stops its own workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    """Exit when the pipe closes: the server closed it, or was killed."""
    line.poll(None)
    os._exit(0)


def _work_out(function: Callable[..., R], *args: Any) -> R:
    with giving_way():
        return function(*args)


@contextlib.contextmanager
def giving_way() -> Iterator[None]:
    """Yield the core to other processes every now and then, and give up after `LONGEST_WORK`."""
    is_on, began = True, time.monotonic()
    until = time.process_time() + LONGEST_WORK

    def give_way(*_: object) -> None:
        os.sched_yield()
        if is_on and time.process_time() > until:
            raise TimeoutError("The solver took too long")
        # Count from now, not from the last yield: on a busy core that was long ago, and the worker
        # would do nothing but yield.
        if is_on:
            age = time.monotonic() - began
            signal.setitimer(signal.ITIMER_REAL, max(GIVES_WAY_EVERY, age * PART_OF_AGE))

    signal.signal(signal.SIGALRM, give_way)
    signal.setitimer(signal.ITIMER_REAL, GIVES_WAY_EVERY)
    try:
        yield
    finally:
        is_on = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def choose(slug: str, state: dict[str, Any], level: str) -> Move:
    """Return the computer's move."""
    game = GAMES[slug]
    return solver.choose(game, game.from_json(state), solver.LEVELS[level], SystemRandom())


def hint(slug: str, state: dict[str, Any]) -> dict[str, Any]:
    game = GAMES[slug]
    return asdict(solver.hint(game, game.from_json(state)))


def review(slug: str, setup: dict[str, Any], moves: Sequence[tuple[Seat, Move]]) -> dict[str, Any]:
    game = GAMES[slug]
    return asdict(solver.review(game, game.from_json(setup), moves))


def verdicts(slug: str, state: dict[str, Any]) -> dict[str, Any]:
    """Solve a position: return the result of every legal move."""
    game = GAMES[slug]
    solution = solver.solve(game, game.from_json(state))
    return {**asdict(solution), "best": solution.best}
