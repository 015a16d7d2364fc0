"""daphne's regular checks of its connections, a few at a time."""

import asyncio
from types import SimpleNamespace

import pytest

from numgames_site.servers import daphne_checks
from numgames_site.servers.daphne_checks import GROUP_SIZE, SpreadChecksServer


class Protocol:
    """A connection as the server sees it."""

    def __init__(self):
        self.failures, self.checks = [], 0

    def handle_exception(self, exception):
        self.failures.append(exception)

    def check_timeouts(self):
        self.checks += 1


@pytest.fixture
def daphne(monkeypatch):
    reactor = SimpleNamespace(callLater=lambda *call: None)
    monkeypatch.setattr("daphne.server.reactor", reactor)

    async def application(scope, receive, send):
        if (await receive()) == "fail":
            raise RuntimeError("a mistake")

    server = SpreadChecksServer(application, endpoints=["nowhere"], application_close_timeout=2)
    server.connections = {}  # as `run` does
    return server


async def test_an_application_that_fails_is_reported_to_its_connection(daphne, caplog):
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


async def test_an_application_that_outlives_its_connection_is_cancelled(daphne):
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


async def test_every_connection_is_checked_for_timeouts(daphne, monkeypatch):
    monkeypatch.setattr(daphne_checks, "ROUND_EVERY", 0)
    monkeypatch.setattr(daphne_checks, "GROUP_EVERY", 0)

    protocols = [Protocol() for _ in range(2 * GROUP_SIZE + 1)]
    for protocol in protocols:
        daphne.protocol_connected(protocol)
    daphne.timeout_checker()
    assert sum(protocol.checks for protocol in protocols) == GROUP_SIZE
    gone = protocols.pop()
    del daphne.connections[gone]
    async with asyncio.timeout(10):
        while min(protocol.checks for protocol in protocols) < 2:
            await asyncio.sleep(0)
    assert gone.checks == 0
