"""The one place where a process's live parts are built and handed to each other.

The server's entry point builds a `Process` and hands it to the websockets' consumers. Pages and API
find it in the ASGI scope of their request. Building one starts nothing: daphne has no lifespan
events, so `start` is called with every request and socket and does its work on the first.
"""

from django.http import HttpRequest

from games.live import metrics
from games.live.computer import LOOK_EVERY, Computer
from games.live.housekeeping import Housekeeping
from games.live.hub import RECONCILE_EVERY, Hub
from games.live.lobby import Lobby
from games.live.relay import Relay
from games.live.tasks import Job, Tasks
from games.live.writer import Writer

# Where the entry point puts the process in an ASGI scope.
SCOPE_KEY = "numgames.process"


class Process:
    def __init__(self) -> None:
        self.tasks = Tasks()
        self.hub = Hub(self.tasks)
        self.writer = Writer(self.hub)
        self.computer = Computer(self.hub, self.writer)
        self.lobby = Lobby(self.hub)
        self.housekeeping = Housekeeping(self.hub)
        self.hub.when_changed = self.computer.consider
        self.repeat(RECONCILE_EVERY, self.hub.reconcile_all)
        self.repeat(LOOK_EVERY, self.computer.look_for_overdue)
        for seconds, job in self.housekeeping.jobs:
            self.repeat(seconds, job)

    def repeat(self, seconds: float, job: Job) -> None:
        """Run a job every so many seconds from the start on."""
        self.tasks.repeat(seconds, job)

    def start(self) -> None:
        """Start the background work, once for each event loop."""
        if self.tasks.start():
            self.hub.relay = Relay.from_settings(self.hub.heard_from_elsewhere)
            if self.hub.relay is not None:
                self.tasks.spawn(self.hub.relay.listen())
            metrics.SOCKETS.labels("match").set_function(self.hub.count_sockets)
            metrics.SOCKETS.labels("lobby").set_function(lambda: len(self.lobby.sockets))
            metrics.MATCHES_LIVE.set_function(self.hub.count_live)

    async def stop(self) -> None:
        """Answer what is queued, then end the background work."""
        await self.writer.finished()
        await self.tasks.stop()
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
