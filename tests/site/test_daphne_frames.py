"""Frames written straight to a connection of daphne's, and what is done when they do not fit."""

from types import SimpleNamespace

import pytest

from numgames_site.daphne_frames import LONGEST_BACKLOG, FramesProtocol

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
