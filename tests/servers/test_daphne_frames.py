"""Frames written straight to a connection of daphne's; its looks at all connections, in parts."""

import asyncio
from types import SimpleNamespace

import pytest

from numgames_site import daphne_frames
from numgames_site.daphne_frames import (
    CHECKED_AT_ONCE,
    LONGEST_BACKLOG,
    FramesProtocol,
    FramesServer,
)

FRAME = b"0123456789"


class Transport:
    """A connection of Twisted's that takes so many bytes at once."""

    def __init__(self, takes):
        self.takes, self.sent, self.aborted = takes, [], False
        self.dataBuffer, self._tempDataLen, self.disconnecting = b"", 0, 0

    def writeSomeData(self, data):  # noqa: N802 — Twisted's name
        if isinstance(self.takes, int):
            self.sent.append(("at once", data[: self.takes]))
        return self.takes

    def write(self, data):
        self.sent.append(("later", data))

    def abortConnection(self):  # noqa: N802
        self.aborted = True


@pytest.fixture
def write():
    def to(transport, state=FramesProtocol.STATE_OPEN, send_queue=()):
        protocol = SimpleNamespace(
            transport=transport,
            state=state,
            send_queue=send_queue,
            STATE_OPEN=FramesProtocol.STATE_OPEN,
        )
        return FramesProtocol.write_frame(protocol, FRAME)

    return to


def test_a_frame_goes_out_at_once(write):
    transport = Transport(takes=len(FRAME))
    assert write(transport)
    assert transport.sent == [("at once", FRAME)]


@pytest.mark.parametrize("takes", [0, 4])
def test_what_does_not_fit_goes_out_later(write, takes):
    transport = Transport(takes)
    assert write(transport)
    assert transport.sent == [("at once", FRAME[:takes]), ("later", FRAME[takes:])]


@pytest.mark.parametrize("waits", ["dataBuffer", "_tempDataLen", "disconnecting"])
def test_nothing_overtakes_what_waits(write, waits):
    transport = Transport(takes=len(FRAME))
    setattr(transport, waits, b"earlier" if waits == "dataBuffer" else 7)
    assert write(transport)
    assert transport.sent == [("later", FRAME)]


def test_who_does_not_read_is_dropped(write):
    transport = Transport(takes=0)
    transport._tempDataLen = LONGEST_BACKLOG + 1
    assert write(transport)
    assert transport.aborted
    assert transport.sent == []


def test_a_broken_connection_is_given_up(write):
    transport = Transport(takes=ConnectionResetError())
    assert write(transport)
    assert transport.aborted


def test_a_socket_that_is_not_open_is_left_to_daphne(write):
    assert not write(Transport(takes=0), state=FramesProtocol.STATE_CLOSING)
    assert not write(Transport(takes=0), send_queue=["something"])


class Protocol:
    """A connection as the server sees it."""

    def __init__(self):
        self.failures, self.looks = [], 0

    def handle_exception(self, exception):
        self.failures.append(exception)

    def check_timeouts(self):
        self.looks += 1


@pytest.fixture
def daphne(monkeypatch):
    reactor = SimpleNamespace(callLater=lambda *call: None)
    monkeypatch.setattr("daphne.server.reactor", reactor)

    async def application(scope, receive, send):
        if (await receive()) == "fail":
            raise RuntimeError("a mistake")

    server = FramesServer(application, endpoints=["nowhere"], application_close_timeout=2)
    server.connections = {}  # as it begins to run
    return server


def test_an_application_that_fails_is_noticed_and_its_connection_told(daphne, caplog):
    async def scenario():
        others, one = [Protocol() for _ in range(3)], Protocol()
        for protocol in (*others, one):
            daphne.protocol_connected(protocol)
            queue = daphne.create_application(protocol, {})
        queue.put_nowait("fail")
        await asyncio.wait([daphne.connections[one]["application_instance"]])
        await asyncio.sleep(0)
        daphne.application_checker()
        assert [str(failure) for failure in one.failures] == ["a mistake"]
        assert "Exception inside application" in caplog.text
        assert len(daphne.connections) == 4
        daphne.protocol_disconnected(one)
        daphne.application_checker()
        assert list(daphne.connections) == others

    asyncio.run(scenario())


def test_an_application_that_does_not_end_after_its_connection_is_ended(daphne):
    async def scenario():
        protocol = Protocol()
        daphne.protocol_connected(protocol)
        daphne.create_application(protocol, {})
        task = daphne.connections[protocol]["application_instance"]
        daphne.protocol_disconnected(protocol)
        daphne.application_checker()
        assert not task.cancelling()
        daphne.connections[protocol]["disconnected"] -= 3
        daphne.application_checker()
        assert task.cancelling()
        await asyncio.wait([task])
        daphne.application_checker()
        assert not daphne.connections

    asyncio.run(scenario())


def test_all_connections_are_looked_at_for_timeouts(daphne, monkeypatch):
    monkeypatch.setattr(daphne_frames, "TIMEOUTS_EVERY", 0)
    monkeypatch.setattr(daphne_frames, "CHECKED_EVERY", 0)

    async def scenario():
        protocols = [Protocol() for _ in range(2 * CHECKED_AT_ONCE + 1)]
        for protocol in protocols:
            daphne.protocol_connected(protocol)
        daphne.timeout_checker()
        assert sum(protocol.looks for protocol in protocols) == CHECKED_AT_ONCE
        gone = protocols.pop()
        del daphne.connections[gone]
        async with asyncio.timeout(10):
            while min(protocol.looks for protocol in protocols) < 2:
                await asyncio.sleep(0)
        assert gone.looks == 0

    asyncio.run(scenario())
