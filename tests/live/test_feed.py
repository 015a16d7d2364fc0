"""A feed's message is rebuilt only if needed, and the lobby uses matches already loaded."""

import asyncio
import json

import pytest
from django.db import OperationalError

from games.live import protocol
from games.live.feed import Feed
from games.live.process import Process
from games.live.tasks import Tasks
from games.matches import database, selectors, services
from games.models import Guest, Match
from tests.live.in_process import FakeClient, new_match, settled


class Nobody:
    pk = None


class Topic:
    """A feed of a number, which counts how often its message is built."""

    def __init__(self):
        self.tasks, self.number, self.built, self.away = Tasks(), 1, 0, False
        self.feed = Feed(self.tasks, self.build)
        self.feed.every = 0.02

    async def build(self):
        self.built += 1
        if self.away:
            raise OperationalError("connection refused")
        return json.dumps({"type": "number", "number": self.number})

    def change(self, number):
        self.number = number
        self.feed.changed()


def numbers(client):
    return [message["number"] for message in client.messages]


async def until(happened):
    async with asyncio.timeout(5):
        while not happened():
            await asyncio.sleep(0.005)


async def test_many_changes_become_one_message_for_everyone():
    topic, clients = Topic(), [FakeClient(Nobody) for _ in range(3)]
    for client in clients:
        await topic.feed.enter(client.socket)
    for number in (2, 3, 4):
        topic.change(number)
    await until(lambda: topic.built == 4)
    assert [numbers(client) for client in clients] == [[1, 4]] * 3
    # A message that says nothing new is not sent.
    topic.change(4)
    await until(lambda: topic.built == 5)
    assert numbers(clients[0]) == [1, 4]
    await topic.tasks.stop()


async def test_nothing_is_built_while_nobody_is_subscribed():
    topic, client = Topic(), FakeClient(Nobody)
    topic.change(2)
    await topic.feed.enter(client.socket)
    topic.feed.leave(client.socket)
    await topic.tasks.finished()
    topic.change(3)
    # No task is left that could build it.
    await topic.tasks.finished()
    assert numbers(client) == [2]
    # A client that returns gets the current message, and later ones.
    await topic.feed.enter(client.socket)
    topic.change(4)
    await until(lambda: numbers(client) == [2, 3, 4])
    await topic.tasks.stop()


async def test_a_change_that_was_not_announced_is_noticed_at_the_next_check():
    topic, client = Topic(), FakeClient(Nobody)
    topic.feed.look_every = 0.05
    await topic.feed.enter(client.socket)
    topic.number = 2
    await until(lambda: numbers(client) == [1, 2])
    await topic.tasks.stop()


async def test_while_the_database_is_away_the_feed_waits_and_new_clients_cannot_subscribe(caplog):
    topic, client, late = Topic(), FakeClient(Nobody), FakeClient(Nobody)
    await topic.feed.enter(client.socket)
    topic.away = True
    topic.change(2)
    await until(lambda: topic.built > 1)
    with pytest.raises(OperationalError):
        await topic.feed.enter(late.socket)
    assert topic.feed.sockets == {client.socket}
    topic.away = False
    await until(lambda: numbers(client) == [1, 2])
    await topic.tasks.stop()
    assert "connection refused" in caplog.text


def listed_matches(count):
    matches = [new_match() for _ in range(count)]
    Match.objects.update(listed=True)
    return matches


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
class TestLobby:
    async def test_loaded_matches_are_not_read_again(self, monkeypatch):
        (here, one, _), (elsewhere, *_), (behind, three, _) = await database.write(
            listed_matches, 3
        )
        read = []

        def with_actions(rows, original=selectors.with_actions):
            read.append({row.pk for row in rows})
            return original(rows)

        process, other = Process(), Process()
        client, third = FakeClient(one), FakeClient(three)
        live = await process.hub.enter(here.pk, client.socket)
        move = protocol.Move(move=6, version=0, id="m")
        process.writer.submit(live, client.socket, move)
        await settled(process.writer, client)
        # This one is loaded too, but another process has made a move.
        await process.hub.enter(behind.pk, FakeClient(Nobody).socket)
        live = await other.hub.enter(behind.pk, third.socket)
        other.writer.submit(live, third.socket, move)
        await settled(other.writer, third)
        monkeypatch.setattr(selectors, "with_actions", with_actions)
        watching = FakeClient(Nobody)
        await process.lobby.feed.enter(watching.socket)
        await process.tasks.stop()
        message = watching.messages[0]
        assert message["open"] == []
        shown = {entry["id"]: entry for entry in message["live"]}
        assert {pk: entry["version"] for pk, entry in shown.items()} == {
            here.pk: 1,
            elsewhere.pk: 0,
            behind.pk: 1,
        }
        assert shown[here.pk]["state"]["played"] == [6]
        assert shown[behind.pk]["spectators"] == 1
        assert read == [{elsewhere.pk, behind.pk}]

    async def test_the_lobby_shows_moves_endings_and_spectators(self):
        ((match, one, _),) = await database.write(listed_matches, 1)

        process, client, lobby = Process(), FakeClient(one), FakeClient(Nobody)
        process.lobby.feed.every = 0.02
        await process.lobby.feed.enter(lobby.socket)

        async def shown(expected):
            async with asyncio.timeout(5):
                while [
                    (entry["version"], entry["spectators"]) for entry in lobby.messages[-1]["live"]
                ] != expected:
                    await asyncio.sleep(0.01)

        await shown([(0, 0)])
        live = await process.hub.enter(match.pk, client.socket)
        process.writer.submit(live, client.socket, protocol.Move(move=6, version=0, id="m"))
        await shown([(1, 0)])
        await process.hub.enter(match.pk, FakeClient(Nobody).socket)
        await shown([(1, 1)])
        process.writer.submit(live, client.socket, protocol.Resign(id="r"))
        await shown([])
        await process.stop()

    async def test_a_computer_is_listed_with_its_level(self):
        def new_match_against_the_computer():
            guest = Guest.objects.create(name="Ada")
            settings = {"game": "chain-factor", "starts": "me", "listed": True}
            services.create_match(guest=guest, computer="casual", **settings)

        await database.write(new_match_against_the_computer)
        process, lobby = Process(), FakeClient(Nobody)
        await process.lobby.feed.enter(lobby.socket)
        assert [entry["players"] for entry in lobby.messages[0]["live"]] == [
            {"1": {"name": "Ada"}, "2": {"name": "Casual computer", "level": "casual"}}
        ]
        await process.stop()
