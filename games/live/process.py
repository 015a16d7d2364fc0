"""Builds the live parts of a process and connects them to each other.

The server's entry point builds a `Process` and passes it to the websocket consumers. Pages and API
find it in the ASGI scope of their request. Building one starts nothing. daphne has no lifespan
events, so `start` is called for every request and socket, and does its work on the first call.
"""

import asyncio

from django.http import HttpRequest

from games.live import descriptors, lobby, metrics
from games.live.computer import LOOK_EVERY, Computer
from games.live.convergence import COMPARE_EVERY, Convergence
from games.live.door import Door
from games.live.elsewhere import Elsewhere
from games.live.events import Events
from games.live.hints import Hints
from games.live.housekeeping import Housekeeping
from games.live.hub import Hub
from games.live.lobby import Lobby
from games.live.readiness import Readiness
from games.live.relay import Relay
from games.live.tasks import Job, Tasks
from games.live.writer import Writer
from games.matches.commits import Commits
from games.thinking.asking import Thinking

# Where the entry point puts the process in an ASGI scope.
SCOPE_KEY = "numgames.process"

# Seconds for the writer to finish when the process stops.
LONGEST_GOODBYE = 3.0


class Process:
    def __init__(self) -> None:
        self.tasks = Tasks()
        self.events = Events()
        # A quarter of the connections is for pages.
        self.door = Door(descriptors.for_clients() * 3 // 4)
        self.hub = Hub(self.tasks, self.events)
        self.convergence = Convergence(self.hub)
        self.commits = Commits()
        self.writer = Writer(self.hub, self.commits)
        self.thinking = Thinking()
        self.computer = Computer(self.hub, self.writer, self.thinking)
        self.hints = Hints(self.hub, self.thinking)
        self.lobby = Lobby(self.hub, self.tasks, self.events)
        self.elsewhere = Elsewhere(self.hub, self.convergence, self.lobby)
        self.housekeeping = Housekeeping(self.hub)
        self.readiness = Readiness(self.hub)
        self.events.changed.listen(self.computer.consider)
        self.repeat(COMPARE_EVERY, self.convergence.compare_all)
        self.repeat(LOOK_EVERY, self.computer.look_for_overdue)
        self.repeat(lobby.LOOK_EVERY, self.lobby.look)
        for seconds, job in self.housekeeping.jobs:
            self.repeat(seconds, job)

    def repeat(self, seconds: float, job: Job) -> None:
        """Run a job at this interval once the process has started."""
        self.tasks.repeat(seconds, job)

    def start(self) -> None:
        """Start the background work, once for each event loop."""
        if self.tasks.start():
            self.hub.relay = Relay.from_settings(self.elsewhere.hear)
            if self.hub.relay is not None:
                self.tasks.spawn(self.hub.relay.listen())
            metrics.SOCKETS.labels("match").set_function(self.hub.count_sockets)
            metrics.SOCKETS.labels("lobby").set_function(lambda: len(self.lobby.feed.sockets))
            metrics.MATCHES_LIVE.set_function(self.hub.count_live)

    async def stop(self) -> None:
        """Answer everything in the queue, then stop the background work."""
        # Whoever keeps the queue full, or a database that hangs, must not keep us from stopping.
        finished = asyncio.ensure_future(self.writer.finished())
        await asyncio.wait([finished], timeout=LONGEST_GOODBYE)
        await self.tasks.stop()
        self.commits.close()
        self.thinking.end()
        if self.hub.relay is not None:
            await self.hub.relay.close()
            self.hub.relay = None

    def changed(self, match_id: str) -> None:
        """Something other than an action changed (joined, cancelled, …). Safe in any thread."""
        self.hub.changed(match_id)


def process_of(request: HttpRequest) -> Process | None:
    """Return the process that serves a request; None outside a server, as in Django's test client.

    None means that no sockets are there to notify.
    """
    process = getattr(request, "scope", {}).get(SCOPE_KEY)
    return process if isinstance(process, Process) else None
