"""Ask the solver's processes a question and wait for the answer, with a timeout."""

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking import pool

R = TypeVar("R")

BUSY = Template(_("The server is very busy. Try again in a moment."))

# In seconds. The solver's budget for a whole match is shorter, even on a busy machine.
LONGEST_THOUGHT = 30.0


async def think(function: Callable[..., R], *args: Any, seconds: float | None = None) -> R:
    """Run one of the pool's functions. Raises the refusal `busy` if there is no answer in time, or
    if the process working on it died."""
    try:
        async with asyncio.timeout(LONGEST_THOUGHT if seconds is None else seconds):
            return await asyncio.wrap_future(pool.ask(function, *args))
    except (TimeoutError, BrokenProcessPool, OSError) as error:
        raise Refusal("busy", BUSY(), 503) from error
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # The pool was shut down and dropped the question; nobody cancelled us.
        raise Refusal("busy", BUSY(), 503) from error
