"""The solver's work, in processes of its own: a thread would hold the interpreter up for everyone.

What goes in and comes out are slugs, JSON and plain values, so the workers need nothing but the
rules and the solver.
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

from games import solver
from games.rules import GAMES, Move, Seat

R = TypeVar("R")

WORKERS = max(1, (os.cpu_count() or 1) - 1)
# Moves of people come first. But where others want all of the machine, the computer must get on
# too: its share would be a thousandth in Linux's idle class.
NICENESS = 10
# In seconds. Work that has begun is left to run by Linux for some milliseconds, also when somebody
# else wants to run: so it asks by itself, far more often. Each time costs it its turn, so what has
# taken long, because others want every core, asks less often.
GIVES_WAY_EVERY = 0.00005
PART_OF_AGE = 1 / 500

_pool: ProcessPoolExecutor | None = None
# Open for as long as the pool is wanted.
_line: Connection | None = None
_making = threading.Lock()


def ask(function: Callable[..., R], *args: Any) -> Future[R]:
    """Have one of the functions below worked out; a pool that has died is replaced."""
    global _pool, _line
    with _making:
        for _ in range(2):
            if _pool is None:
                context = multiprocessing.get_context("spawn")
                workers_end, _line = context.Pipe(duplex=False)
                _pool = ProcessPoolExecutor(WORKERS, context, _begin, (workers_end,))
            try:
                return _pool.submit(_work_out, function, *args)
            except BrokenProcessPool:
                _pool = None
        raise BrokenProcessPool("No process to think in could be started")


def end() -> None:
    """The server stops: nobody waits any more for what is being thought about."""
    global _pool
    with _making:
        if _pool is not None and _line is not None:
            _line.close()
            # The workers have gone by then, so this does not take long.
            _pool.shutdown(cancel_futures=True)
            _pool = None


def _begin(line: Connection) -> None:
    os.nice(NICENESS)
    # Ctrl-C goes to the whole group; the server ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    """The line is cut when the server wants no more of this, and also when it is killed."""
    line.poll(None)
    os._exit(0)


def _work_out(function: Callable[..., R], *args: Any) -> R:
    with giving_way():
        return function(*args)


@contextlib.contextmanager
def giving_way() -> Iterator[None]:
    """Let whoever waits for this core have it, every now and then."""
    is_on, began = True, time.monotonic()

    def give_way(*_: object) -> None:
        os.sched_yield()
        # From now on, not from the last time: where many want the core, that is long ago, and
        # there would be nothing but giving way.
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
    """The computer's move."""
    game = GAMES[slug]
    return solver.choose(game, game.from_json(state), solver.LEVELS[level], SystemRandom())


def hint(slug: str, state: dict[str, Any]) -> dict[str, Any]:
    game = GAMES[slug]
    return asdict(solver.hint(game, game.from_json(state)))


def review(slug: str, setup: dict[str, Any], moves: Sequence[tuple[Seat, Move]]) -> dict[str, Any]:
    game = GAMES[slug]
    return asdict(solver.review(game, game.from_json(setup), moves))


def verdicts(slug: str, state: dict[str, Any]) -> dict[str, Any]:
    """What every legal move of a position leads to."""
    game = GAMES[slug]
    solution = solver.solve(game, game.from_json(state))
    return {**asdict(solution), "best": solution.best}
