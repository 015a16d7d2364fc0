"""Checks at startup that a server has all the internals that the limits and the fast path use.

If a new version has changed one of them, the site logs one warning and does without the fast path,
which is slower, or without the limits, which is less safe. docs/frames.md explains each entry.
"""

import dis
import importlib
import logging
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

from django.conf import settings

logger = logging.getLogger(__name__)


class Internal(NamedTuple):
    """An undocumented attribute or dictionary key of another package that we use."""

    owner: str  # module:class
    name: str
    used_for: str
    is_key: bool = False

    def __str__(self) -> str:
        return f"{self.owner.replace(':', '.')}.{self.name}"

    @property
    def is_there(self) -> bool:
        module, _, name = self.owner.partition(":")
        try:
            owner: type[Any] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            return False
        if self.is_key:
            return any(self.name in constants(method) for method in methods(owner))
        return hasattr(owner, self.name) or any(
            sets_attribute(method, self.name) for method in methods(owner)
        )


TRANSPORT = "twisted.internet.tcp:Server"
AUTOBAHN = "autobahn.websocket.protocol:WebSocketProtocol"
DAPHNE_SOCKET = "daphne.ws_protocol:WebSocketProtocol"
DAPHNE_SERVER = "daphne.server:Server"
CHANNEL = "twisted.web.http:HTTPChannel"
UVICORN_HTTP = "uvicorn.protocols.http.httptools_impl:HttpToolsProtocol"
UVICORN_CYCLE = "uvicorn.protocols.http.httptools_impl:RequestResponseCycle"
UVICORN_SOCKET = "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol"
FRAME = "websockets.frames:Frame"
WEBSOCKETS = "websockets.protocol:Protocol"

INTERNALS = {
    "daphne": [
        Internal(TRANSPORT, "writeSomeData", "write to the socket at once"),
        Internal(TRANSPORT, "dataBuffer", "see whether bytes are waiting to be written"),
        Internal(TRANSPORT, "_tempDataLen", "see how many bytes are waiting behind those"),
        Internal(TRANSPORT, "disconnecting", "write nothing past a connection that is closing"),
        Internal(TRANSPORT, "abortConnection", "drop a client that doesn't read"),
        Internal(AUTOBAHN, "state", "write and read only while the socket is open"),
        Internal(AUTOBAHN, "STATE_OPEN", "the same"),
        Internal(AUTOBAHN, "send_queue", "see whether autobahn has something to write first"),
        Internal(DAPHNE_SOCKET, "onMessage", "deliver the texts that autobahn has read"),
        Internal(DAPHNE_SOCKET, "muted", "ignore texts after an error"),
        Internal(DAPHNE_SOCKET, "last_ping", "skip the ping for clients we just heard from"),
        Internal(DAPHNE_SOCKET, "check_timeouts", "check timeouts a few connections at a time"),
        Internal(DAPHNE_SERVER, "connections", "know all connections"),
        Internal(
            DAPHNE_SERVER, "application_instance", "know when an application ends", is_key=True
        ),
        Internal(DAPHNE_SERVER, "disconnected", "know which client has gone", is_key=True),
        Internal(DAPHNE_SERVER, "protocol_disconnected", "know when a client goes"),
        Internal(DAPHNE_SERVER, "application_checker", "check only connections that have ended"),
        Internal(DAPHNE_SERVER, "timeout_checker", "check timeouts a few connections at a time"),
    ],
    "uvicorn": [
        Internal(UVICORN_SOCKET, "writable", "leave the queueing to uvicorn if a client is slow"),
        Internal(UVICORN_SOCKET, "close_sent", "write and read only while the socket is open"),
        Internal(UVICORN_SOCKET, "handle_text", "deliver the texts that the parser has read"),
        Internal(FRAME, "fin", "see whether more fragments will follow"),
        Internal(FRAME, "data", "get the text that the parser has read"),
        Internal(UVICORN_SOCKET, "read_paused", "hold a socket when nothing is on its way"),
        Internal(UVICORN_SOCKET, "queue", "the same"),
        Internal(UVICORN_SOCKET, "disconnected", "the same"),
        Internal(UVICORN_SOCKET, "connections", "put a held socket in place"),
        Internal(UVICORN_SOCKET, "stop_keepalive", "leave the pings to the held socket"),
        Internal(UVICORN_SOCKET, "ping_interval", "the same"),
        Internal(UVICORN_SOCKET, "conn", "end the parser when a held socket takes over"),
        Internal(WEBSOCKETS, "parser", "the same"),
        Internal(UVICORN_SOCKET, "send_keepalive_ping", "skip the ping after a message"),
        Internal(UVICORN_SOCKET, "schedule_ping", "the same"),
        Internal(UVICORN_SOCKET, "last_ping_rtt", "the same"),
    ],
}

# What we use to limit connections, requests and frames, with or without the fast path.
BOUNDS = {
    "daphne": [
        Internal(CHANNEL, "_path", "know whether to refuse a request in JSON"),
        Internal("daphne.server:HTTPFactory", "buildProtocol", "use our subclass"),
        Internal("daphne.http_protocol:WebRequest", "process", "see which connections upgrade"),
        Internal(DAPHNE_SOCKET, "serverClose", "close with 1009 too"),
        Internal(AUTOBAHN, "sendCloseFrame", "the same"),
        Internal(AUTOBAHN, "dropConnection", "not wait for the client's answer to a refusal"),
        Internal("daphne.ws_protocol:WebSocketFactory", "protocol", "use our subclass"),
        Internal("daphne.cli:CommandLineInterface", "server_class", "use our subclass"),
        Internal(DAPHNE_SERVER, "create_application", "offer the extensions"),
    ],
    "uvicorn": [
        Internal(UVICORN_HTTP, "transport", "refuse requests"),
        Internal(UVICORN_HTTP, "client", "count connections by address"),
        Internal(UVICORN_HTTP, "loop", "end requests that take too long"),
        Internal(UVICORN_HTTP, "url", "know whether to refuse a request in JSON"),
        Internal(UVICORN_HTTP, "headers", "see the length of a body before it arrives"),
        Internal(UVICORN_CYCLE, "keep_alive", "close connections with several requests at once"),
        Internal(UVICORN_HTTP, "cycle", "see whether a request is being answered"),
        Internal(UVICORN_CYCLE, "more_body", "the same"),
        Internal(UVICORN_CYCLE, "response_started", "the same"),
        Internal(UVICORN_CYCLE, "response_complete", "the same"),
        Internal(UVICORN_CYCLE, "disconnected", "tell the application that a client was refused"),
        Internal(UVICORN_CYCLE, "message_event", "the same"),
        Internal(UVICORN_HTTP, "on_response_complete", "see when an answer is complete"),
        Internal(UVICORN_HTTP, "handle_websocket_upgrade", "see which connections upgrade"),
        Internal(UVICORN_SOCKET, "handle_connect", "offer the extensions"),
        Internal(UVICORN_SOCKET, "scope", "the same"),
        Internal(UVICORN_SOCKET, "extensions", "the same", is_key=True),
        Internal(UVICORN_SOCKET, "transport", "stop reading, and drop the client"),
        Internal(UVICORN_SOCKET, "loop", "drop clients that don't read"),
        Internal(UVICORN_SOCKET, "data_received", "count frames before the parser reads them"),
        Internal(UVICORN_SOCKET, "on_task_complete", "see when the application has ended"),
    ],
}


def use_frames(server: str) -> bool:
    """Return whether to use the fast path on this server; warn if it should but can't."""
    if not settings.FRAMES:
        return False
    gone = missing(server)
    if gone:
        logger.warning(
            "The fast path for websocket frames is off, because this version of %s or of its "
            "dependencies has no %s. The site works, but slower. See docs/frames.md.",
            server,
            ", ".join(gone),
        )
    return not gone


def use_bounds(server: str) -> bool:
    """Return whether connections and frames can be limited on this server; warn if they can't."""
    gone = missing(server, BOUNDS)
    if gone:
        logger.warning(
            "Connections, requests and frames are not limited, because this version of %s or of "
            "its dependencies has no %s. The site works, but isn't protected. See docs/frames.md.",
            server,
            ", ".join(gone),
        )
    return not gone


def missing(server: str, internals: Mapping[str, list[Internal]] = INTERNALS) -> list[str]:
    return [str(internal) for internal in internals[server] if not internal.is_there]


def methods(owner: type) -> Iterator[FunctionType]:
    for each in owner.__mro__:
        yield from (one for one in vars(each).values() if isinstance(one, FunctionType))


def constants(method: FunctionType) -> Iterator[object]:
    for constant in method.__code__.co_consts:
        # The compiler stores the keys of a dictionary display as one tuple.
        yield from constant if isinstance(constant, tuple) else (constant,)


def sets_attribute(method: FunctionType, name: str) -> bool:
    """Return whether a method sets an attribute with this name, so that instances have it."""
    code = method.__code__
    return name in code.co_names and any(
        step.opname == "STORE_ATTR" and step.argval == name for step in dis.get_instructions(code)
    )
