"""A proxy that breaks, delays or silently stalls connections between clients and a server."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

# Takes a chunk that the server sent and returns the part that reaches the client.
Filter = Callable[[bytes], bytes]


class End(asyncio.Protocol):
    """One side of a proxied connection; forwards data to the other side via the proxy."""

    def __init__(self, proxy: "Proxy", keep: Filter = bytes) -> None:
        self.proxy, self.keep = proxy, keep
        self.far: End
        self.transport: asyncio.Transport | None = None
        self.is_deaf = False
        # Data to write as soon as this side is connected.
        self._early: list[bytes] = []
        self._is_over = False
        self._due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.proxy.ends.add(self)
        for data in self._early:
            transport.write(data)
        if self._is_over:
            transport.close()
        if self in self.proxy.clients:
            self.proxy.opened(self)

    def data_received(self, data: bytes) -> None:
        self._later(self.far.write, self.keep(data))

    def connection_lost(self, error: Exception | None) -> None:
        self.proxy.ends.discard(self)
        self.proxy.clients.discard(self)
        self._later(self.far.close)

    def write(self, data: bytes) -> None:
        if self.transport is None:
            self._early.append(data)
        elif not (self.is_deaf or self.transport.is_closing()):
            self.transport.write(data)

    def close(self) -> None:
        self._is_over = True
        if self.transport is not None and not self.is_deaf:
            self.transport.close()

    def abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()

    def _later(self, function: Callable[..., Any], *args: Any) -> None:
        """Call after the delay, and keep the order even if the delay has just become shorter."""
        loop = asyncio.get_running_loop()
        self._due = max(self._due + 1e-6, loop.time() + self.proxy.delay)
        loop.call_at(self._due, self.proxy.do, function, *args)


class Proxy:
    """Listens on a free port and forwards to the server's port.

    Use `async with Proxy(port) as line:` and connect clients to `line.ws`.
    """

    def __init__(self, port: int, new_filter: Callable[[], Filter] = lambda: bytes) -> None:
        self.to, self.new_filter = port, new_filter
        # Delay in seconds, in both directions.
        self.delay = 0.0
        self.refuses = False
        # All open ends; the client ends are in `clients` too.
        self.ends: set[End] = set()
        self.clients: set[End] = set()
        self._held: list[tuple[Callable[..., Any], tuple[Any, ...]]] | None = None
        self._connecting: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Proxy":
        loop = asyncio.get_running_loop()
        self._listening = await loop.create_server(self._take, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]
        self.ws = f"ws://127.0.0.1:{self.port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listening.close()
        for task in tuple(self._connecting):
            task.cancel()
        await asyncio.gather(*self._connecting, return_exceptions=True)
        for end in self.ends:
            end.abort()
        while self.ends:
            await asyncio.sleep(0)

    def _take(self) -> End:
        client, server = End(self), End(self, self.new_filter())
        client.far, server.far = server, client
        self.clients.add(client)
        return client

    def opened(self, client: End) -> None:
        if self.refuses:
            client.abort()
        else:
            self.do(self._connect, client.far)

    def _connect(self, server: End) -> None:
        task = asyncio.get_running_loop().create_task(self._connected(server))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _connected(self, server: End) -> None:
        try:
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: server, "127.0.0.1", self.to)
        except OSError:
            server.far.close()

    def do(self, function: Callable[..., Any], *args: Any) -> None:
        if self._held is None:
            function(*args)
        else:
            self._held.append((function, args))

    # --- Faults -----------------------------------------------------------------------------

    def cut(self) -> None:
        """Break every connection; both sides notice."""
        for client in tuple(self.clients):
            client.abort()
            client.far.abort()

    def half_open(self) -> None:
        """Break every connection on the server's side only; clients don't notice."""
        for client in tuple(self.clients):
            client.is_deaf = True
            client.far.abort()

    def swallow(self) -> None:
        """Hold back all data while connections stay open, like a black hole."""
        self._held = []

    def release(self) -> None:
        """Deliver everything that was held back, like a network that retransmits."""
        held, self._held = self._held or [], None
        for function, args in held:
            function(*args)


@contextmanager
def in_background(proxy: Proxy) -> Iterator[Proxy]:
    """Run a proxy in a thread, for fixtures that outlive a test's event loop."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(proxy.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(proxy.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
