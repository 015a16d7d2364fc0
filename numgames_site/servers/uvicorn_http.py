"""HTTP on uvicorn: a subclass of its protocol, with limits on size and time."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from games.matches.limits import network_of
from games.refusals import Refusal
from numgames_site.servers.bounds import (
    LINGER,
    LONG_HEADERS,
    LONGEST_ANSWER,
    LONGEST_BODY,
    LONGEST_HEADERS,
    LONGEST_REQUEST,
    SMALLEST_CHUNK,
    TOO_LARGE,
    TOO_SLOW,
    Connections,
    answer,
)


class BoundedProtocol(HttpToolsProtocol):
    """One connection. It waits for a request, receives it, and answers it."""

    connections_open: Connections

    is_waiting = True
    is_refused = False
    in_body = False
    header_size = 0
    body_size = 0
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.expect_within(LONGEST_REQUEST)
        address = network_of(self.client[0] if self.client else "")
        self.connections_open.come(self, address, transport.get_extra_info("socket").fileno())

    def connection_lost(self, exc: Exception | None) -> None:
        self.go()
        super().connection_lost(exc)

    def go(self) -> None:
        self.connections_open.go(self)
        if self.deadline is not None:
            self.deadline.cancel()

    def expect_within(self, seconds: float) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
        self.deadline = self.loop.call_later(seconds, self.expire)

    def expire(self) -> None:
        if self.is_refused or self.is_waiting or self.is_answering:
            self.transport.abort()
        else:
            self.refuse(TOO_SLOW)

    @property
    def is_answering(self) -> bool:
        return self.cycle is not None and not (self.cycle.more_body or self.cycle.response_complete)

    def data_received(self, data: bytes) -> None:
        if self.is_refused:
            return
        if self.is_waiting:
            self.is_waiting = False
            self.expect_within(LONGEST_REQUEST)
        if not self.in_body:
            self.header_size += len(data)
        super().data_received(data)
        if self.header_size > LONGEST_HEADERS and not self.is_refused:
            self.refuse(LONG_HEADERS)

    def on_headers_complete(self) -> None:
        self.in_body, self.body_size, self.header_size = True, 0, 0
        if self.is_refused:
            return
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > LONGEST_HEADERS:
            self.refuse(LONG_HEADERS)
        elif int(dict(self.headers).get(b"content-length", 0)) > LONGEST_BODY:
            self.refuse(TOO_LARGE)
        elif self.cycle is not None and not self.cycle.response_complete:
            # uvicorn would queue any number of requests. No browser sends the next one this early.
            self.is_refused = True
            self.cycle.keep_alive = False
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.body_size += max(len(body), SMALLEST_CHUNK)
        if self.is_refused:
            return
        if self.body_size > LONGEST_BODY and not has_length(self.headers):
            self.refuse(TOO_LARGE)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self.in_body = False
        if self.is_refused:
            return
        super().on_message_complete()
        if self.is_answering:
            self.expect_within(LONGEST_ANSWER)
            self.connections_open.work(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.is_refused or self.transport.is_closing():
            return
        self.is_waiting = True
        self.expect_within(LONGEST_REQUEST)
        self.connections_open.wait(self)

    def handle_websocket_upgrade(self) -> None:
        if not self.is_refused:
            self.go()
            super().handle_websocket_upgrade()
            # The parser and this object refer to each other, and to the connection.
            self.__dict__.clear()

    def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal, and give the client a moment to read it."""
        self.say_no(refusal, self.url if hasattr(self, "url") else b"")
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.expect_within(LINGER)

    def turn_away(self, refusal: Refusal) -> None:
        self.say_no(refusal)
        self.transport.close()

    def say_no(self, refusal: Refusal, path: bytes = b"") -> None:
        self.is_refused = True
        cycle = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(answer(refusal, path))
        if cycle is not None and not cycle.response_complete:
            # The application is told that the client has gone.
            cycle.disconnected = True
            cycle.message_event.set()


def has_length(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name == b"content-length" for name, _ in headers)
