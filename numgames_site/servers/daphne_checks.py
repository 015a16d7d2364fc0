"""daphne's regular checks of its connections, a few at a time.

daphne checks all connections in one go, every second for applications that have ended and every two
seconds for timeouts, and moves have to wait. This server checks only connections where something
has ended, and checks timeouts in small groups.
"""

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import Any

from games.live.frames.daphne import MeteredProtocol
from numgames_site.servers.daphne_server import GracefulServer

# Seconds between two rounds of timeout checks, and between two groups of a round.
ROUND_EVERY = 2
GROUP_EVERY, GROUP_SIZE = 0.02, 50


class SpreadChecksServer(GracefulServer):
    connections: dict[Any, dict[str, Any]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ended: set[Any] = set()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        queue = super().create_application(protocol, scope)
        if queue is not None:
            task = self.connections[protocol]["application_instance"]
            task.add_done_callback(lambda _: self._ended.add(protocol))
        return queue

    def protocol_disconnected(self, protocol: Any) -> None:
        super().protocol_disconnected(protocol)
        self._ended.add(protocol)

    def application_checker(self) -> None:
        everyone = self.connections
        ended, self._ended = self._ended & everyone.keys(), set()
        self.connections = {protocol: everyone[protocol] for protocol in ended}
        try:
            super().application_checker()
        finally:
            for protocol in ended:
                if protocol not in self.connections:
                    del everyone[protocol]
                    if isinstance(protocol, MeteredProtocol):
                        protocol.forget()
                elif "disconnected" in everyone[protocol]:
                    # The application is still running: check it again next time.
                    self._ended.add(protocol)
            self.connections = everyone

    def timeout_checker(self) -> None:
        self._check_timeouts(iter(list(self.connections)))

    def _check_timeouts(self, protocols: Iterator[Any]) -> None:
        group = list(islice(protocols, GROUP_SIZE))
        for protocol in group:
            if protocol in self.connections:
                protocol.check_timeouts()
        loop = asyncio.get_running_loop()
        if group:
            loop.call_later(GROUP_EVERY, self._check_timeouts, protocols)
        else:
            loop.call_later(ROUND_EVERY, self.timeout_checker)
