"""The solver's work, in processes of its own: a thread would hold the interpreter up for everyone.

What goes in and comes out are slugs, JSON and plain values, so the workers need nothing but the
rules and the solver.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from random import SystemRandom
from typing import Any, TypeVar

from games import solver
from games.rules import GAMES, Move, Seat

R = TypeVar("R")

WORKERS = max(1, (os.cpu_count() or 1) - 1)
# Moves of people come first, also where the system knows no idle work.
NICENESS = 19
# In seconds. Idle work that has begun is left to run by Linux until its next tick, for up to four
# milliseconds, also when somebody else wants to run: so it asks by itself, far more often.
GIVES_WAY_EVERY = 0.0003

_pool: ProcessPoolExecutor | None = None
_making = threading.Lock()


def ask(function: Callable[..., R], *args: Any) -> Future[R]:
    """Have one of the functions below worked out; a pool that has died is replaced."""
    global _pool
    with _making:
        for _ in range(2):
            if _pool is None:
                context = multiprocessing.get_context("spawn")
                _pool = ProcessPoolExecutor(WORKERS, context, initializer=_begin)
            try:
                return _pool.submit(_work_out, function, *args)
            except BrokenProcessPool:
                _pool = None
        raise RuntimeError("No process to think in could be started")


def _begin() -> None:
    os.nice(NICENESS)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    # Ctrl-C goes to the whole group; the server ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """A server that is killed cannot end its workers: each of them watches for it."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(0)


def _work_out(function: Callable[..., R], *args: Any) -> R:
    with giving_way():
        return function(*args)


@contextlib.contextmanager
def giving_way() -> Iterator[None]:
    """Let whoever waits for this core have it, every now and then."""
    signal.signal(signal.SIGALRM, lambda *_: os.sched_yield())
    signal.setitimer(signal.ITIMER_REAL, GIVES_WAY_EVERY, GIVES_WAY_EVERY)
    try:
        yield
    finally:
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
