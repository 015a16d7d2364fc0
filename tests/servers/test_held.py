"""A websocket that uvicorn has handed over: reading, writing, pings and the end."""

import asyncio

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from games.live.frames.held import GROUPS, HeldSocket, Rounds
from games.live.meter import BURST, Meter


class FakeTransport:
    def __init__(self):
        self.written = b""
        self.did = []

    def write(self, data):
        self.written += data

    def is_closing(self):
        return "close" in self.did or "abort" in self.did

    def __getattr__(self, name):
        return lambda *_: self.did.append(name)


class Held:
    """A held socket, and what its application has heard."""

    def __init__(self, rounds=None):
        self.transport, self.meter = FakeTransport(), Meter()
        self.texts, self.ends, self.connections = [], [], set()
        self.socket = HeldSocket(
            self.transport,
            self.meter,
            self.texts.append,
            lambda: self.ends.append(True),
            self.connections,
            rounds,
        )

    def gets(self, *frames):
        self.socket.data_received(b"".join(frame.serialize(mask=True) for frame in frames))

    @property
    def answers(self):
        """The frames that the client has received."""
        client = ClientProtocol(parse_uri("ws://localhost/"), state=State.OPEN)
        client.receive_data(self.transport.written)
        return [(frame.opcode, bytes(frame.data)) for frame in client.events_received()]


@pytest.fixture
async def held():
    return Held()


async def test_texts_are_heard_however_they_are_framed(held):
    held.gets(Frame(Opcode.TEXT, b"short"))
    held.gets(Frame(Opcode.TEXT, b"l" * 3000))
    held.gets(Frame(Opcode.TEXT, b"in ", fin=False))
    held.gets(Frame(Opcode.PING, b"between"), Frame(Opcode.CONT, b"parts"))
    for byte in Frame(Opcode.TEXT, b"byte by byte").serialize(mask=True):
        held.socket.data_received(bytes([byte]))
    held.gets(Frame(Opcode.TEXT, b"short again"))
    assert held.texts == ["short", "l" * 3000, "in parts", "byte by byte", "short again"]
    assert held.answers == [(Opcode.PONG, b"between")]


async def test_binary_data_is_heard_as_none(held):
    held.gets(Frame(Opcode.BINARY, b"x"))
    assert held.texts == [None]


async def test_no_parser_stays_behind(held):
    held.gets(Frame(Opcode.TEXT, b"l" * 3000))
    assert held.socket._parser is None
    held.gets(Frame(Opcode.TEXT, b"part", fin=False))
    assert held.socket._parser is not None
    held.gets(Frame(Opcode.CONT, b"part"))
    assert held.socket._parser is None


async def test_a_close_is_answered_and_the_application_told_once(held):
    held.gets(Frame(Opcode.CLOSE, b"\x03\xe8"), Frame(Opcode.TEXT, b"late"))
    assert held.answers == [(Opcode.CLOSE, b"\x03\xe8")]
    assert "close" in held.transport.did
    await asyncio.sleep(0)
    held.socket.connection_lost(None)
    assert held.ends == [True]
    assert held.texts == []
    assert held.connections == set()


@pytest.mark.parametrize(
    ("sent", "code"),
    [(Frame(Opcode.TEXT, b"\xff" * 200), 1007), (Frame(Opcode.CONT, b"no start"), 1002)],
)
async def test_what_breaks_the_protocol_closes_the_socket(held, sent, code):
    held.gets(sent)
    [(opcode, data)] = held.answers
    assert opcode is Opcode.CLOSE
    assert int.from_bytes(data[:2]) == code
    assert held.texts == []


async def test_a_flood_is_not_read(held):
    held.gets(*[Frame(Opcode.TEXT, b"x")] * (BURST + 1))
    assert held.texts == []
    assert held.transport.did[-1] == "pause_reading"


async def test_nothing_is_written_after_a_close(held):
    await held.socket.send({"type": "websocket.close", "code": 4404})
    assert not held.socket.write(b"\x81\x01x")
    with pytest.raises(ConnectionError):
        await held.socket.send({"type": "websocket.send", "text": "x"})
    assert held.answers == [(Opcode.CLOSE, (4404).to_bytes(2))]
    # The caller may be going through the sockets of a match.
    assert held.ends == []
    await asyncio.sleep(0)
    assert held.ends == [True]


async def test_messages_wait_for_a_client_that_reads_slowly(held):
    held.socket.pause_writing()
    assert not held.socket.write(b"\x81\x01x")
    sending = asyncio.ensure_future(held.socket.send({"type": "websocket.send", "text": "late"}))
    await asyncio.sleep(0)
    assert held.answers == []
    held.socket.resume_writing()
    await sending
    assert held.answers == [(Opcode.TEXT, b"late")]


async def test_whoever_waits_for_a_slow_client_is_told_when_it_goes(held):
    held.socket.pause_writing()
    sending = asyncio.ensure_future(held.socket.send({"type": "websocket.send", "text": "late"}))
    await asyncio.sleep(0)
    held.socket.connection_lost(None)
    with pytest.raises(ConnectionError):
        await sending


async def test_a_silent_client_is_pinged_and_then_dropped(held):
    held.gets(Frame(Opcode.TEXT, b"x"))
    held.socket.look()
    assert held.answers == []
    held.socket.look()
    assert held.answers == [(Opcode.PING, b"")]
    held.gets(Frame(Opcode.PONG, b""))
    held.socket.look()
    held.socket.look()
    held.socket.look()
    assert [opcode for opcode, _ in held.answers] == [Opcode.PING, Opcode.PING, Opcode.CLOSE]
    assert "close" in held.transport.did


async def test_rounds_look_at_every_socket_a_few_at_a_time(monkeypatch):
    rounds = Rounds(1.0)
    monkeypatch.setattr(rounds, "_wait", lambda: None)
    sockets = [Held(rounds) for _ in range(3 * GROUPS)]
    for _ in range(2 * GROUPS):
        before = sum(bool(one.answers) for one in sockets[::50])
        rounds._go_on()
        assert sum(bool(one.answers) for one in sockets[::50]) - before <= 3
    assert all(one.answers == [(Opcode.PING, b"")] for one in sockets)
    for one in sockets:
        one.socket.connection_lost(None)
    rounds._go_on()
    assert not any(rounds._groups)
    assert not rounds._is_running


async def test_stopping_the_server_tells_clients_to_reconnect(held):
    held.socket.shutdown()
    assert held.answers == [(Opcode.CLOSE, (1012).to_bytes(2))]
