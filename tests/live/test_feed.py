"""A feed's message is rebuilt only if needed, and a new subscriber gets the last one."""

import asyncio
import json

import pytest
from django.db import OperationalError

from games.live.feed import Feed
from games.live.tasks import Tasks
from tests.live.in_process import FakeClient


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
    topic, clients = Topic(), [FakeClient() for _ in range(3)]
    for client in clients:
        await topic.feed.enter(client.socket)
    for number in (2, 3, 4):
        topic.change(number)
    await until(lambda: topic.built == 2)
    assert [numbers(client) for client in clients] == [[1, 4]] * 3
    # A message that says nothing new is not sent.
    topic.change(4)
    await until(lambda: topic.built == 3)
    assert numbers(clients[0]) == [1, 4]
    await topic.tasks.stop()


async def test_many_subscribers_cost_one_build():
    topic, clients = Topic(), [FakeClient() for _ in range(65)]
    topic.feed.every = 60
    await asyncio.gather(*(topic.feed.enter(client.socket) for client in clients[:40]))
    topic.change(2)
    for client in clients[40:]:
        topic.feed.leave(clients.pop(0).socket)
        await topic.feed.enter(client.socket)
    assert topic.built == 1
    assert {tuple(numbers(client)) for client in clients} == {(1,)}
    await topic.tasks.stop()


async def test_whoever_asks_without_subscribing_gets_a_message_that_is_at_most_a_second_old():
    topic = Topic()
    topic.feed.every = 60
    assert {await topic.feed.current() for _ in range(65)} == {await topic.build()}
    assert topic.built == 2
    topic.change(2)
    topic.feed.every = 0
    assert json.loads(await topic.feed.current())["number"] == 2


async def test_a_subscriber_who_got_an_outdated_message_gets_the_next_one_too():
    topic, client = Topic(), FakeClient()
    topic.feed.every = 0.3
    await topic.feed.current()
    topic.change(2)
    await topic.feed.enter(client.socket)
    assert numbers(client) == [1]
    await until(lambda: numbers(client) == [1, 2])
    await topic.tasks.stop()


async def test_nothing_is_built_while_nobody_is_subscribed():
    topic, client = Topic(), FakeClient()
    topic.change(2)
    await topic.feed.enter(client.socket)
    topic.feed.leave(client.socket)
    await topic.tasks.finished()
    topic.change(3)
    # No task is left that could build it.
    await topic.tasks.finished()
    assert numbers(client) == [2]
    # A client that returns later gets the current message, and later ones.
    topic.feed.every = 0
    await topic.feed.enter(client.socket)
    topic.change(4)
    await until(lambda: numbers(client) == [2, 3, 4])
    await topic.tasks.stop()


async def test_a_change_that_was_not_announced_is_noticed_at_the_next_check():
    topic, client = Topic(), FakeClient()
    topic.feed.look_every = 0.05
    await topic.feed.enter(client.socket)
    topic.number = 2
    await until(lambda: numbers(client) == [1, 2])
    await topic.tasks.stop()


async def test_while_the_database_is_away_the_feed_waits_and_new_clients_get_the_last_message(
    caplog,
):
    topic, client, late = Topic(), FakeClient(), FakeClient()
    await topic.feed.enter(client.socket)
    topic.away = True
    topic.change(2)
    await until(lambda: topic.built > 1)
    await topic.feed.enter(late.socket)
    topic.away = False
    for each in (client, late):
        await until(lambda each=each: numbers(each) == [1, 2])
    await topic.tasks.stop()
    assert "connection refused" in caplog.text


async def test_nobody_can_subscribe_if_there_is_no_message_and_the_database_is_away():
    topic, client = Topic(), FakeClient()
    topic.away = True
    with pytest.raises(OperationalError):
        await topic.feed.enter(client.socket)
    assert not topic.feed.sockets
    topic.away = False
    await topic.feed.enter(client.socket)
    assert numbers(client) == [1]
    await topic.tasks.stop()
