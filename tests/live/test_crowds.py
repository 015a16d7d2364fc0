"""A match with many spectators: nothing is done for all of them at once."""

import asyncio

import pytest

from games.live.consumers import MatchConsumer
from games.live.live_match import SOCKETS_AT_ONCE
from games.live.process import Process
from games.live.protocol import Move
from games.matches import database
from tests.live.in_process import FakeClient, new_match, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]

MANY = 4 * SOCKETS_AT_ONCE


class Crowd:
    """A match with two players and many spectators."""

    async def gather(self):
        self.process = Process()
        match, one, two = await database.write(new_match)
        self.players = [FakeClient(one), FakeClient(two)]
        self.spectators = [FakeClient() for _ in range(MANY)]
        for client in (*self.players, *self.spectators):
            self.live = await self.process.hub.enter(match.pk, client.socket)
            client.messages.clear()
        return self

    def count(self, kind):
        return sum(bool(client.of_type(kind)) for client in self.spectators)

    async def most_at_once(self, kind):
        """Return how many spectators at most got a message in one turn of the event loop."""
        most = 0
        while self.live.is_telling:
            before = self.count(kind)
            await asyncio.sleep(0)
            most = max(most, self.count(kind) - before)
        return most


@pytest.fixture
async def crowd():
    return await Crowd().gather()


async def test_an_update_goes_to_the_players_first_and_then_to_a_few_at_a_time(crowd):
    crowd.live.broadcast('{"type":"update"}')
    assert all(player.of_type("update") for player in crowd.players)
    assert crowd.count("update") == 0
    assert await crowd.most_at_once("update") <= SOCKETS_AT_ONCE
    assert crowd.count("update") == MANY


async def test_snapshots_after_a_reload_go_to_a_few_at_a_time(crowd):
    await crowd.process.hub.refresh(crowd.live)
    assert all(player.of_type("snapshot") for player in crowd.players)
    assert crowd.count("snapshot") <= SOCKETS_AT_ONCE
    assert await crowd.most_at_once("snapshot") <= SOCKETS_AT_ONCE
    assert crowd.count("snapshot") == MANY
    assert all(client.of_type("snapshot")[0]["you"] == [] for client in crowd.spectators)


async def test_messages_to_spectators_stay_in_order_when_most_of_them_leave(crowd):
    crowd.live.broadcast('{"type":"first"}')
    await asyncio.sleep(0)
    for client in crowd.spectators[SOCKETS_AT_ONCE // 2 :]:
        crowd.process.hub.leave(crowd.live, client.socket)
    crowd.live.broadcast('{"type":"second"}')
    await crowd.process.tasks.finished()
    for client in crowd.spectators[: SOCKETS_AT_ONCE // 2]:
        assert [message["type"] for message in client.messages] == ["first", "second"]


async def test_a_spectator_who_pings_while_the_update_is_on_its_way_gets_no_snapshot(crowd):
    process, consumer = crowd.process, MatchConsumer(crowd.process)
    spectator, player = crowd.spectators[0], crowd.players[0]
    process.writer.submit(crowd.live, player.socket, Move(move=6, version=0, id="m"))
    await settled(process.writer)
    await process.tasks.finished()
    late = '{"type":"ping","version":0}'
    crowd.live.broadcast('{"type":"update"}')
    for client in (spectator, player):
        consumer.hear(crowd.live, client.socket, late)
    assert not spectator.of_type("snapshot")
    assert spectator.of_type("pong")
    assert player.of_type("snapshot")
    await process.tasks.finished()
    consumer.hear(crowd.live, spectator.socket, late)
    assert spectator.of_type("snapshot")


async def test_players_and_spectators_are_counted_as_they_come_go_and_sit_down(crowd):
    live, hub = crowd.live, crowd.process.hub
    assert live.spectators == hub.spectators_of(live.id) == MANY
    assert live.players == {client.socket for client in crowd.players}
    for _ in range(2):
        hub.leave(live, crowd.spectators[0].socket)
        hub.leave(live, crowd.players[0].socket)
    assert live.spectators == MANY - 1
    assert live.players == {crowd.players[1].socket}
    assert live.seat(crowd.spectators[1].socket, (1,))
    assert not live.seat(crowd.spectators[1].socket, (1,))
    assert live.spectators == MANY - 2
    assert len(live.players) == 2
    assert live.seat(crowd.spectators[1].socket, ())
    assert live.spectators == MANY - 1
    assert len(live.players) == 1
