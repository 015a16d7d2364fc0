"""Stops uvicorn without losing requests; it finishes those in progress by itself."""

import asyncio
import os
from socket import socket

from uvicorn import Server

A_MOMENT = 0.1


class GracefulServer(Server):
    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        # uvicorn serves on a copy of the port it was given. If the original stayed open, it would
        # take connections that nobody answers while uvicorn stops.
        if self.config.fd is not None:
            os.close(self.config.fd)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        # uvicorn would drop a connection that was just accepted and whose request is not read yet.
        await asyncio.sleep(A_MOMENT)
        await super().shutdown(sockets)
        # Imported here because it starts the site.
        from numgames_site.asgi import process

        await process.stop()
