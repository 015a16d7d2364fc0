"""uvicorn skips the ping for clients we just heard from."""

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from games.live.frames.uvicorn import FramesProtocol


@pytest.fixture
def protocol(monkeypatch):
    class Quiet(FramesProtocol):
        close_sent = False

        def __init__(self):
            self.did = []

        def schedule_ping(self):
            self.did.append("wait")

    monkeypatch.setattr(
        WebSocketsSansIOProtocol, "send_keepalive_ping", lambda self: self.did.append("ping")
    )
    return Quiet()


def test_a_client_we_just_heard_from_is_not_pinged(protocol):
    protocol.deliver(lambda text: None, "hello")
    protocol.send_keepalive_ping()
    assert protocol.did == ["wait"]


def test_a_client_that_has_been_silent_is_pinged(protocol):
    protocol.deliver(lambda text: None, "hello")
    protocol.send_keepalive_ping()
    protocol.send_keepalive_ping()
    assert protocol.did == ["wait", "ping"]
