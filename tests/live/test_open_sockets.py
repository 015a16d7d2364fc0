"""What an open socket costs on uvicorn, counted in objects, and that nothing of it stays behind."""

import asyncio
import gc
import socket

import pytest
import uvicorn
import uvloop
from uvicorn.server import ServerState

from games.live.frames.held import DROP_AFTER, HeldSocket
from games.live.frames.uvicorn import FramesProtocol
from games.live.process import Process
from games.live.routing import websockets
from games.matches import database
from numgames_site.servers.bounds import Connections
from numgames_site.servers.uvicorn_http import BoundedProtocol
from tests.live.in_process import new_match

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]

SOCKETS = 60
# Without a `HeldSocket` there are about ninety for each.
MOST_OBJECTS = 25
# Less than one for each: caches and lists that grow once.
FEW = SOCKETS


async def serve(process):
    """Serve our websockets as `numgames_site.servers.uvicorn` does; return the server."""
    BoundedProtocol.connections_open = Connections()
    config = uvicorn.Config(
        websockets(process),
        http=BoundedProtocol,
        ws=FramesProtocol,
        lifespan="off",
        log_config=None,
        ws_ping_interval=10,
        ws_per_message_deflate=False,
    )
    config.load()
    state, loop = ServerState(), asyncio.get_running_loop()
    return await loop.create_server(
        lambda: BoundedProtocol(config=config, server_state=state, app_state={}, _loop=loop),
        "127.0.0.1",
        0,
    )


def opened(port, path):
    """Open a websocket; the test's side of it is a single object."""
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    client.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert client.recv(4096).startswith(b"HTTP/1.1 101")
    return client


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def come_and_go(page):
    """Open and close many sockets; return how many objects each takes, and how many stay in all."""
    process = Process()
    server = await serve(process)
    port = server.sockets[0].getsockname()[1]
    match, *_ = await database.write(new_match)
    path = {"match": f"/ws/match/{match.pk}/", "lobby": "/ws/lobby/"}[page]
    here = process.door._sockets

    async def come(number):
        clients = await asyncio.to_thread(lambda: [opened(port, path) for _ in range(number)])
        await until(lambda: all(isinstance(one._frames, HeldSocket) for one in here))
        return clients

    async def go(clients):
        while clients:
            clients.pop().close()
        await until(lambda: len(here) == 1)
        # The server forgets a connection a moment after it has closed.
        await asyncio.sleep(DROP_AFTER + 0.2)

    [stays] = await come(1)
    await go(await come(SOCKETS))
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        clients = await come(SOCKETS)
        assert len(here) == SOCKETS + 1
        opened_objects = len(gc.get_objects())
        await go(clients)
        left = len(gc.get_objects()) - before
    finally:
        gc.enable()
    stays.close()
    server.close()
    await process.stop()
    return (opened_objects - before) / SOCKETS, left


@pytest.mark.parametrize("page", ["match", "lobby"])
def test_a_socket_takes_few_objects_and_needs_no_collector_to_go(page, settings):
    settings.LIMITS = False
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        taken, left = runner.run(come_and_go(page))
    assert taken <= MOST_OBJECTS
    assert left < FEW
