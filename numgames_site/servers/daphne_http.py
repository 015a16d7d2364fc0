"""HTTP on daphne: subclasses of its factory and request, with limits on size and time."""

import re
from typing import Any

import msgspec
from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet.protocol import connectionDone
from twisted.web.http import HTTPChannel

from games.live import protocol
from games.matches.limits import network_of
from games.refusals import Refusal
from games.sentences import PLAIN
from numgames_site.servers.bounds import (
    LINGER,
    LONG_HEADERS,
    LONGEST_BODY,
    LONGEST_HEADERS,
    LONGEST_REQUEST,
    SMALLEST_CHUNK,
    TOO_LARGE,
    TOO_SLOW,
    Connections,
    answer,
)

# daphne decodes these headers as UTF-8 or ASCII, and fails on anything else. It also decodes `%`
# in the last one, and autobahn doesn't.
UNDECODABLE = {
    b"X-Forwarded-For": re.compile(rb"[^\x20-\x7e]"),
    b"X-Forwarded-Port": re.compile(rb"[^\x20-\x7e]"),
    b"X-Forwarded-Proto": re.compile(rb"[^\x20-\x7e]"),
    b"Sec-WebSocket-Protocol": re.compile(rb"[^\x20-\x7e]|%"),
}


JSON = [(b"Content-Type", b"application/json")]


class BodyTooLarge(Exception):
    """More of a chunked body has arrived than a request may have."""


class BoundedRequest(WebRequest):
    received = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        # Django parses forms itself.
        super().__init__(*args, parsePOSTFormSubmission=False, **options)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 — Twisted's names
        if self.channel.length is None:
            self.received += max(len(data), SMALLEST_CHUNK)
            if self.received > LONGEST_BODY:
                raise BodyTooLarge
        super().handleContentChunk(data)

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Answer a request that daphne itself refuses; below /api/ in JSON, like all others."""
        if not self.uri.startswith(b"/api/"):
            super().basic_error(status, status_text, body)
            return
        refusal = Refusal("malformed" if status == 400 else "server_error", PLAIN(text=f"{body}."))
        for message in (
            {"type": "http.response.start", "status": status, "headers": JSON},
            {"type": "http.response.body", "body": msgspec.json.encode(protocol.refused(refusal))},
        ):
            self.handle_reply(message)

    def process(self) -> Any:
        for name, undecodable in UNDECODABLE.items():
            if any(map(undecodable.search, self.requestHeaders.getRawHeaders(name, []))):
                self.basic_error(400, b"Bad Request", "Invalid header value")
                return None
        channel = self.channel
        # With this header, clients could choose where links on our pages lead.
        self.requestHeaders.removeHeader(b"daphne-root-path")
        done = super().process()
        if channel.transport.protocol is not channel:
            # The connection has become a websocket.
            channel.connections.go(channel)
            channel.transport.protocol.channel = channel
        return done


class BoundedChannel(HTTPChannel):
    """One connection. It waits for a request, receives it, and answers it."""

    transport: Any
    is_waiting = True
    is_refused = False
    header_size = 0

    def connectionMade(self) -> None:  # noqa: N802
        super().connectionMade()
        self.connections: Connections = self.factory.connections
        address = network_of(getattr(self.transport.getPeer(), "host", ""))
        self.connections.come(self, address, self.transport.fileno())

    def connectionLost(self, reason: Any = connectionDone) -> None:  # noqa: N802
        self.connections.go(self)
        super().connectionLost(reason)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if not self.is_refused:
            super().dataReceived(data)

    def resetTimeout(self) -> None:  # noqa: N802
        """Start the clock with the first byte of a request, and let later bytes not restart it."""
        if self.is_waiting:
            self.is_waiting = False
            super().resetTimeout()

    def allHeadersReceived(self) -> None:  # noqa: N802
        if self.length is not None and self.length > LONGEST_BODY:
            self.refuse(TOO_LARGE)
        else:
            super().allHeadersReceived()

    def lineReceived(self, line: bytes) -> None:  # noqa: N802
        self.header_size += len(line)
        if self.header_size > LONGEST_HEADERS:
            self.lineLengthExceeded(line)
        elif not self.is_refused:
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        if not self.is_refused:
            self.refuse(LONG_HEADERS)

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        if self.is_refused:
            return
        try:
            super().rawDataReceived(data)
        except BodyTooLarge:
            self.refuse(TOO_LARGE)

    def allContentReceived(self) -> None:  # noqa: N802
        self.header_size = 0
        self.connections.work(self)
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:  # noqa: N802
        self.is_waiting = True
        self.connections.wait(self)
        super().requestDone(request)

    def timeoutConnection(self) -> None:  # noqa: N802
        if self.is_refused:
            self.transport.abortConnection()
        elif self.is_waiting:
            super().timeoutConnection()
        else:
            self.refuse(TOO_SLOW)

    def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal, and give the client a moment to read it."""
        self.is_refused = True
        self.setTimeout(LINGER)
        self.transport.write(answer(refusal, getattr(self, "_path", b"")))
        self.transport.loseWriteConnection()

    def turn_away(self, refusal: Refusal) -> None:
        self.is_refused = True
        self.setTimeout(None)
        self.transport.write(answer(refusal))
        self.loseConnection()


class BoundedFactory(HTTPFactory):
    connections: Connections

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self.timeOut = LONGEST_REQUEST

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        channel = super().buildProtocol(addr)
        channel.requestFactory = BoundedRequest
        return channel

    def protocol(self) -> BoundedChannel:
        return BoundedChannel()
