"""Our daphne server: it starts and stops without losing requests.

daphne accepts connections before it can answer them, and cancels everything when it is asked to
stop. This server listens when it is ready. When it stops, it first closes its port, so that a proxy
asks another process, then finishes the requests it has, and then says goodbye to the sockets.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer, reactor

from games.live import descriptors

# Seconds for the requests in progress, and for clients to answer that their socket is closed.
LONGEST_REQUEST = 3.0
LONGEST_GOODBYE = 0.5
# Time for connections that were just accepted to be read, and for answers to be written.
A_MOMENT = 0.1
# Tells clients to reconnect at once. autobahn knows it, but lets only servers' internals send it.
SERVICE_RESTART = 1012


class GracefulServer(Server):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        # Behind a proxy, `manage.py serve` has only bound the port.
        port.socket.listen(descriptors.backlog())
        self._ports.append(port)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        # What our websocket protocols offer (games/live/frames/daphne.py).
        if offered := getattr(protocol, "asgi_extensions", None):
            scope.setdefault("extensions", {}).update(offered())
        return super().create_application(protocol, scope)

    def kill_all_applications(self) -> Any:
        """Replace daphne's reaction to a signal; the process ends when the result is there."""
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._finish()))

    async def _finish(self) -> None:
        for port in self._ports:
            # Take the connections that are still waiting, in the moment the port is closed.
            port.numberAccepts = descriptors.backlog()
            reactor.callLater(0, port.doRead)  # type: ignore[arg-type]
            port.stopListening()
        await asyncio.sleep(A_MOMENT)
        await self._wait_for(lambda protocol: isinstance(protocol, WebRequest), LONGEST_REQUEST)
        # Imported here because it starts the site.
        from numgames_site.asgi import process

        await process.stop()
        for protocol in list(self.connections):
            if isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN:
                protocol.sendCloseFrame(code=SERVICE_RESTART)
        await self._wait_for(lambda protocol: True, LONGEST_GOODBYE)
        for task in self._running(lambda protocol: True):
            task.cancel()
        await asyncio.sleep(A_MOMENT)

    def _running(self, chosen: Callable[[Any], bool]) -> list["asyncio.Task[None]"]:
        applications = [
            details["application_instance"]
            for protocol, details in self.connections.items()
            if chosen(protocol) and "application_instance" in details
        ]
        return [task for task in applications if not task.done()]

    async def _wait_for(self, chosen: Callable[[Any], bool], seconds: float) -> None:
        until = asyncio.get_running_loop().time() + seconds
        while (running := self._running(chosen)) and seconds > 0:
            await asyncio.wait(running, timeout=seconds)
            seconds = until - asyncio.get_running_loop().time()
