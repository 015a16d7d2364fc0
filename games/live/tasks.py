"""The background work of a process: tasks whose failures are logged, and jobs that repeat."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from games.matches import database

logger = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]


class Tasks:
    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._jobs: list[tuple[float, Job]] = []

    def start(self) -> bool:
        """Start the jobs, once for each event loop; return whether this call started them."""
        loop = asyncio.get_running_loop()
        if self.loop is loop:
            return False
        # Tasks of an earlier loop ended with it.
        self.loop, self._running = loop, set()
        for seconds, job in self._jobs:
            self.spawn(self._repeat(seconds, job))
        return True

    def repeat(self, seconds: float, job: Job) -> None:
        """Run a job at this interval while the process runs."""
        self._jobs.append((seconds, job))
        if self.loop is not None and self.loop.is_running():
            self.spawn(self._repeat(seconds, job))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background; if it fails, log the error."""
        task = asyncio.get_running_loop().create_task(work)
        # The loop itself keeps only weak references.
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def stop(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self.loop = None

    async def finished(self) -> None:
        """Wait until all tasks have ended; for tests, which start no jobs."""
        while self._running:
            await asyncio.wait(self._running)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log_failure(error)

    async def _repeat(self, seconds: float, job: Job) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await job()
            except Exception as error:
                log_failure(error)


def log_failure(error: BaseException) -> None:
    """Log the error that ended a task; if the database is away, in one line."""
    if isinstance(error, database.AWAY):
        logger.warning("The database is away: %s", database.first_line(error))
    else:
        logger.error("A background task failed", exc_info=error)
