"""A live process counts finished matches soon after they end."""

import pytest
from django.db import OperationalError

from games.guests import record, tallies
from games.live import tallying
from games.live.process import Process
from games.live.protocol import Resign
from games.matches import database
from games.models import Match
from tests.live.in_process import FakeClient, new_match, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


async def resigned(process):
    """Play a match in which both move and the first then resigns."""
    from games.live.protocol import Move

    match, one, two = await database.write(new_match)
    clients = FakeClient(one), FakeClient(two)
    for client in clients:
        live = await process.hub.enter(match.pk, client.socket)
    for version, (client, move) in enumerate(zip(clients, (6, 3), strict=True)):
        process.writer.submit(live, client.socket, Move(move=move, version=version, id=f"{move}"))
        await settled(process.writer, client)
    process.writer.submit(live, clients[0].socket, Resign(id="r"))
    await settled(process.writer, *clients)
    return one, two


async def test_a_match_is_counted_at_the_next_look_after_it_ended():
    process = Process()
    await process.tallying.look()
    one, two = await resigned(process)
    await process.tallying.look()
    won = await database.read(record.record_of, two.pk)
    lost = await database.read(record.record_of, one.pk)
    assert [found["number-tower-duel"]["won"] for found in (won, lost)] == [1, 0]


async def test_while_nothing_ends_the_database_is_rarely_asked(monkeypatch):
    asked = []
    monkeypatch.setattr(tallies, "step", lambda: len(asked.append(1) or []))
    process = Process()
    for _ in range(2 * tallying.LOOK_ANYWAY_AFTER + 2):
        await process.tallying.look()
    assert len(asked) == 2


async def test_matches_of_an_earlier_version_are_counted_too(monkeypatch):
    monkeypatch.setattr(tallies, "COUNTED_AT_ONCE", 1)
    monkeypatch.setattr(tallying, "PAUSE", 0)
    before = Process()
    players = [await resigned(before) for _ in range(3)]
    await Process().tallying.look()
    for one, _ in players:
        assert (await database.read(record.record_of, one.pk))["number-tower-duel"]["played"] == 1
    assert not await database.read(lambda: Match.objects.filter(tallied=None).exists())


async def test_a_failed_look_is_made_up_for(monkeypatch):
    process = Process()
    one, _ = await resigned(process)

    def fail():
        raise OperationalError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(tallies, "step", fail)
        with pytest.raises(OperationalError):
            await process.tallying.look()
    for _ in range(tallying.LOOK_ANYWAY_AFTER + 1):
        await process.tallying.look()
    assert await database.read(record.record_of, one.pk)
