"""The server deletes expired data by itself, and tells those who still look at it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.live import housekeeping
from games.live.process import Process
from games.matches import database, selectors, services
from tests.live.in_process import FakeClient

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


class ClosableClient(FakeClient):
    async def send(self, message):
        if message["type"] == "websocket.close":
            self.messages.append(message)
        else:
            await super().send(message)


def new_match(**settings):
    guest = services.new_guest()
    return services.create_match(guest=guest, game="chain-factor", **settings)[0], guest


async def test_a_match_nobody_moved_in_is_deleted_and_its_sockets_are_closed(monkeypatch):
    monkeypatch.setattr(housekeeping, "SWEEP_PAUSE", 0)
    process = Process()
    unused, guest = await database.write(new_match, same_device=True)
    fresh, other = await database.write(new_match)
    clients = ClosableClient(guest), ClosableClient(other)
    for match, client in zip((unused, fresh), clients, strict=True):
        await process.hub.enter(match.pk, client.socket)
    now = timezone.now() + timedelta(hours=25)
    monkeypatch.setattr(housekeeping.timezone, "now", lambda: now)
    await process.housekeeping.sweep()
    assert await database.read(selectors.match_row, unused.pk) is None
    assert await database.read(selectors.match_row, fresh.pk) is not None
    await process.convergence.compare_all()
    assert set(process.hub.matches) == {fresh.pk}
    last = clients[0].messages[-2:]
    assert [last[0]["code"], last[1]["code"]] == ["no_such_match", 4404]
    assert {message["type"] for message in clients[1].messages} == {"snapshot", "presence"}


def test_the_sweep_is_one_of_the_regular_jobs():
    process = Process()
    assert (3600.0, process.housekeeping.sweep) in process.housekeeping.jobs
