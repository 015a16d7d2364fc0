"""Invalid messages and handshakes: the server answers or disconnects, and keeps running."""

import base64
import json
import os
import socket
from contextlib import ExitStack
from functools import partial
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games.live.frames.counter import LONGEST_MESSAGE
from tests.live.client import fresh, new_pair, post

# A burst of 1,000 messages counts as a flood, and long ones count more. Each example sends two, so
# this many fit a socket.
A_SOCKET = 250
# A client that breaks the WebSocket protocol itself, with invalid UTF-8 or a message that is too
# large, is disconnected, with or without a close code.
FAIR = {1007, 1009, None}

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text()
    | st.sampled_from(["\ud800", "\udfff\ud800", "\x00", "\x7f", "\u2028", "pass", "1", "6", ""])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
# Messages that are valid, or nearly valid.
kinds = st.sampled_from(["move", "resign", "claim", "rematch", "ping", "dance"])
almost = st.fixed_dictionaries(
    {"type": kinds | values},
    optional={
        "move": st.integers(-2, 12) | values,
        "version": st.integers(-1, 12) | values,
        "id": st.text(max_size=70) | values,
        "more": values,
    },
)
deep = st.builds(
    lambda depth, opening: opening * depth,
    st.integers(1, 4000),
    st.sampled_from(["[", '{"a":', '[{"type":']),
)
long = st.builds(
    lambda size, start: start + "x" * size,
    st.sampled_from([4000, 4096, 100_000, 300_000, 2**20]),
    st.sampled_from(["", '{"type":"', '{"type":"ping","version":0,"x":"']),
)
# The message, and whether bytes are sent as a text frame.
messages = st.one_of(
    st.tuples((values | almost | almost).map(json.dumps), st.none()),
    st.tuples(st.text() | deep, st.none()),
    st.tuples(st.binary(), st.booleans()),
    st.tuples(long, st.none()),
)


def breaks_websockets(message, is_text):
    if is_text:
        try:
            message.decode()
        except UnicodeDecodeError:
            return True
    return len(message) > LONGEST_MESSAGE


class Fuzzer:
    """A player who sends any message, and reconnects after being disconnected."""

    def __init__(self, server):
        self.match_id, token, _ = new_pair(server)
        self._connect = partial(
            connect,
            f"{server.ws}/ws/match/{self.match_id}/",
            additional_headers={"Authorization": f"Bearer {token}"},
            proxy=None,
        )
        self.numbers = count(1)
        self.codes = []
        self.left = 0
        self.stack = ExitStack()

    def send(self, message, is_text):
        if self.left == 0:
            self.stack.close()
            self.socket = self.stack.enter_context(self._connect())
            self.left = A_SOCKET
        self.left -= 1
        # Answers come in order: once this one is answered, the message before it is done.
        mark = f"mark {next(self.numbers)}"
        try:
            self.socket.send(message, text=is_text)
            self.socket.send(json.dumps({"type": "dance", "id": mark}))
            while json.loads(self.socket.recv(timeout=10)).get("id") != mark:
                pass
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            assert code in FAIR
            assert breaks_websockets(message, is_text)
            self.codes.append(code)
            self.left = 0


@pytest.mark.parametrize("number", [150, pytest.param(10_000, marks=pytest.mark.faults_long)])
@pytest.mark.parametrize("store", ["SQLite", "PostgreSQL"])
def test_every_message_is_answered_or_closes_the_socket_for_a_reason(
    request, measured, store, number
):
    pair_or_one = request.getfixturevalue("alone" if store == "SQLite" else "pair")
    server = pair_or_one if store == "SQLite" else pair_or_one[0]
    fuzzer = Fuzzer(server)

    @settings(
        max_examples=number, database=None, derandomize=True, suppress_health_check=HealthCheck
    )
    @given(messages)
    def send(message):
        fuzzer.send(*message)

    with fuzzer.stack:
        send()
    measured["closed with"] = {code: fuzzer.codes.count(code) for code in set(fuzzer.codes)}
    fresh(server, fuzzer.match_id)


def upgrade(*lines, path="/ws/lobby/", key=None):
    key = key or base64.b64encode(os.urandom(16)).decode()
    return "\r\n".join(
        [
            f"GET {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *lines,
            "\r\n",
        ]
    ).encode("latin1")


def get(*lines, method="GET", path="/", version="HTTP/1.1"):
    first = f"{method} {path} {version}"
    return "\r\n".join([first, "Host: 127.0.0.1", *lines, "\r\n"]).encode("latin1")


HANDSHAKES = {
    "nothing": b"",
    "noise": bytes(range(256)) * 4,
    "an unfinished line": b"GET /ws/lobby/ HTTP/1.1\r\nHost: ",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "an old version": upgrade().replace(b"Version: 13", b"Version: 8"),
    "no version": upgrade().replace(b"Sec-WebSocket-Version: 13\r\n", b""),
    "an invalid version": upgrade().replace(b"Version: 13", b"Version: \xff"),
    "no key": upgrade().replace(b"Sec-WebSocket-Key", b"X-Key"),
    "an invalid key": upgrade(key="x"),
    "two keys": upgrade("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
    "no host": upgrade().replace(b"Host: 127.0.0.1\r\n", b""),
    "two hosts": upgrade("Host: elsewhere"),
    "an invalid host": upgrade().replace(b"Host: 127.0.0.1", b"Host: [::1"),
    "HTTP/1.0": upgrade().replace(b"HTTP/1.1", b"HTTP/1.0"),
    "POST": upgrade().replace(b"GET", b"POST"),
    "bytes in a name": upgrade("\xff\xfe: x"),
    "bytes in a value": upgrade("X: \xff\xfe"),
    "bytes in the origin": upgrade("Origin: \xff\xfe"),
    "an invalid origin": upgrade("Origin: http://[::1"),
    "bytes in a subprotocol": upgrade("Sec-WebSocket-Protocol: numgames, \xff"),
    "a percent-encoded subprotocol": upgrade("Sec-WebSocket-Protocol: numgames, bearer.%ff%00"),
    "an empty subprotocol": upgrade("Sec-WebSocket-Protocol: ,,"),
    "bytes in the token": upgrade("Authorization: Bearer \xff\xfe"),
    "bytes in the cookie": upgrade("Cookie: guest=\xff; =; guest"),
    "an invalid extension": upgrade("Sec-WebSocket-Extensions: \x01;;=,"),
    "bytes in the path": upgrade(path="/ws/match/\xff\xfe/"),
    "a percent-encoded path": upgrade(path="/ws/match/%ff%00%0d%0a/"),
    "no path": upgrade(path=""),
    "a full URL as the path": upgrade(path="http://elsewhere/ws/lobby/"),
    "a query": upgrade(path="/ws/lobby/?%ff=\xff#x"),
    "a long path": upgrade(path="/ws/match/" + "x" * 100_000 + "/"),
    "a long header": upgrade("X: " + "x" * 1_000_000),
    "many headers": upgrade(*(f"X-{n}: x" for n in range(5_000))),
    "a folded header": upgrade("X: a", " b"),
    "a body": upgrade("Content-Length: 5") + b"hello",
    "a chunked body": upgrade("Transfer-Encoding: chunked") + b"zz\r\n",
    "two lengths": upgrade("Content-Length: 5", "Content-Length: 6") + b"hello",
    "an invalid length": upgrade("Content-Length: -1"),
    "two requests": upgrade() + upgrade(),
    "the root": upgrade(path="/"),
    "a newline as the path": upgrade(path="/%0a"),
    "a newline as the match": upgrade(path="/ws/match/%0a/"),
    "half a character in the path": upgrade(path="/%ed%a0%80"),
    "an encoded comma in a subprotocol": upgrade("Sec-WebSocket-Protocol: numgames%2C bearer.x"),
    "bytes in a subprotocol's token": upgrade("Sec-WebSocket-Protocol: numgames, bearer.\xff"),
    "an encoded name of a subprotocol": upgrade("Sec-WebSocket-Protocol: %6eumgames"),
    "bytes in the root path": upgrade("Daphne-Root-Path: \xff"),
    "another root path": upgrade("Daphne-Root-Path: /elsewhere"),
    "bytes in a forwarded address": upgrade("X-Forwarded-For: \xff"),
    "an unknown upgrade": upgrade().replace(b"Upgrade: websocket", b"Upgrade: h2c"),
    "an upgrade in bytes": upgrade().replace(b"Upgrade: websocket", b"Upgrade: \xff"),
    "frames before the answer": upgrade() + b"\x89\x80\0\0\0\0" * 20_000,
    "frames as the body": upgrade("Content-Length: 60000") + b"\x89\x80\0\0\0\0" * 10_000,
}
# Requests that are no handshakes.
REQUESTS = {
    "bytes in the root path": get("Daphne-Root-Path: \xff"),
    "bytes in the method": get(method="G\xffT"),
    "bytes in the version": get(version="HTTP/\xff"),
    "a full URL without a path": get(path="http://127.0.0.1"),
    "CONNECT": get(method="CONNECT", path="127.0.0.1:80"),
    "an unknown upgrade": get("Connection: Upgrade", "Upgrade: h2c"),
    "a form without a token": get("Content-Length: 0", method="POST"),
    "an endless length": get("Content-Length: " + "9" * 400, method="POST"),
    "an endless chunk": get("Transfer-Encoding: chunked", method="POST") + b"f" * 16 + b"\r\nx",
    "many requests": get(path="/health/alive/") * 500,
    "many requests for pages": get() * 20,
}
# Frames that break the WebSocket protocol, sent after a valid handshake.
FRAMES = {
    "unmasked": b"\x81\x02hi",
    "reserved bits": b"\xf1\x80\0\0\0\0",
    "a reserved opcode": b"\x83\x80\0\0\0\0",
    "a continuation of nothing": b"\x80\x80\0\0\0\0",
    "a text within a text": b"\x01\x80\0\0\0\0\x81\x80\0\0\0\0",
    "a fragmented ping": b"\x09\x80\0\0\0\0",
    "a long ping": b"\x89\xfe\x01\x00\0\0\0\0" + b"x" * 256,
    "2^63 bytes": b"\x81\xff\x80\0\0\0\0\0\0\0\0\0\0\0",
    "a terabyte": b"\x81\xff\0\0\x01\0\0\0\0\0\0\0\0\0" + b"x" * 1000,
    "a length in too many bytes": b"\x81\xfe\x00\x01\0\0\0\0x",
    "a close of one byte": b"\x88\x81\0\0\0\0x",
    "a close with 1005": b"\x88\x82\0\0\0\0\x03\xed",
    "a close with a reason that is not UTF-8": b"\x88\x84\0\0\0\0\x03\xe8\xff\xfe",
    "a text that is not UTF-8": b"\x81\x82\0\0\0\0\xff\xfe",
    "many fragments": b"\x01\x81\0\0\0\0x" + b"\x00\x81\0\0\0\0x" * 50_000,
    "a thousand pings": b"\x89\x80\0\0\0\0" * 1000,
    "half a frame": b"\x81\xfe\x10",
}
ABUSE = {
    **{name: (request, b"") for name, request in HANDSHAKES.items()},
    **{f"request: {name}": (request, b"") for name, request in REQUESTS.items()},
    **{f"frame: {name}": (upgrade(), frames) for name, frames in FRAMES.items()},
}


@pytest.mark.parametrize("answered", [True, False], ids=["read", "left at once"])
@pytest.mark.parametrize("name", ["alone", "uvicorn"])
@pytest.mark.parametrize(("request_", "frames"), ABUSE.values(), ids=ABUSE)
def test_the_server_survives_abuse_through_a_raw_socket(request, name, request_, frames, answered):
    """It logs nothing, whether the client waits for the answer or not."""
    server = request.getfixturevalue(name)
    with socket.create_connection(("127.0.0.1", server.port), timeout=0.3) as raw:
        try:
            raw.sendall(request_)
            if frames:
                assert raw.recv(65536).startswith(b"HTTP/1.1 101")
                raw.sendall(frames)
            if answered:
                while raw.recv(65536):
                    pass
        except OSError:
            pass  # it waits for more, or it closed the socket before everything was sent
    assert post(server, "/api/guests/")[0] == 201
