"""Builds the live parts of a process and connects them to each other.

The server's entry point builds a `Process` and passes it to the websocket consumers. Pages and API
find it in the ASGI scope of their request. Building one starts nothing. daphne has no lifespan
events, so `start` is called for every request and socket, and does its work on the first call.
"""

import asyncio

from django.http import HttpRequest

from games.live import agenda, descriptors, lobby, metrics, notices, sign_outs, tallying
from games.live.agenda import Agenda
from games.live.computer import LOOK_EVERY, Computer
from games.live.convergence import COMPARE_EVERY, Convergence
from games.live.door import Door
from games.live.elsewhere import Elsewhere
from games.live.events import Events
from games.live.hints import Hints
from games.live.housekeeping import Housekeeping
from games.live.hub import Hub
from games.live.lobby import Lobby
from games.live.notices import Notices
from games.live.posting import Posting
from games.live.readiness import Readiness
from games.live.relay import Relay
from games.live.sign_outs import SignOuts
from games.live.tallying import Tallying
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
        self.agenda = Agenda(self.hub, self.tasks, self.events)
        self.posting = Posting(self.tasks)
        self.notices = Notices(self.hub, self.door, self.posting)
        self.sign_outs = SignOuts(self.hub, self.door)
        self.elsewhere = Elsewhere(
            self.hub, self.convergence, self.lobby, self.notices, self.sign_outs
        )
        self.housekeeping = Housekeeping(self.hub)
        self.readiness = Readiness(self.hub)
        self.tallying = Tallying(self.events)
        self.events.changed.listen(self.computer.consider)
        self.events.changed.listen(self.notices.see)
        self.events.concerned.listen(self.notices.see_concern)
        self.repeat(COMPARE_EVERY, self.convergence.compare_all)
        self.repeat(LOOK_EVERY, self.computer.look_for_overdue)
        self.repeat(lobby.LOOK_EVERY, self.lobby.look)
        self.repeat(agenda.COMPARE_EVERY, self.agenda.compare)
        self.repeat(tallying.LOOK_EVERY, self.tallying.look)
        self.repeat(notices.LOOK_EVERY, self.notices.look)
        self.repeat(sign_outs.LOOK_EVERY, self.sign_outs.look)
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
            metrics.SOCKETS.labels("me").set_function(lambda: self.agenda.sockets)
            metrics.MATCHES_LIVE.set_function(self.hub.count_live)

    async def stop(self) -> None:
        """Answer everything in the queue, then stop the background work."""
        # Whoever keeps the queue full, or a database that hangs, must not keep us from stopping.
        finished = asyncio.ensure_future(self.writer.finished())
        await asyncio.wait([finished], timeout=LONGEST_GOODBYE)
        await self.tasks.stop()
        await self.posting.close()
        self.commits.close()
        self.thinking.end()
        if self.hub.relay is not None:
            await self.hub.relay.close()
            self.hub.relay = None

    def signed_out(self, guest_id: int, mask: int) -> None:
        """Devices of a guest were signed out. Safe in any thread."""
        self.sign_outs.announce(guest_id, mask)

    def changed(self, match_id: str, guests: tuple[int, ...] = ()) -> None:
        """Something other than an action changed (joined, cancelled, …). Safe in any thread.

        `guests` are those for whom the match is new.
        """
        self.hub.changed(match_id, guests)

    def guest_changed(self, guest_id: int) -> None:
        """A guest has another name. Safe in any thread."""
        self.hub.guest_changed(guest_id)


def process_of(request: HttpRequest) -> Process | None:
    """Return the process that serves a request; None outside a server, as in Django's test client.

    None means that no sockets are there to notify.
    """
    process = getattr(request, "scope", {}).get(SCOPE_KEY)
    return process if isinstance(process, Process) else None
