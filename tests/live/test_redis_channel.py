"""The Redis channel: what it reads, and what it does when the connection is bad."""

import asyncio

import pytest
import redis.asyncio
from redis.exceptions import RedisError

from games.live.redis_channel import Incomplete, RedisChannel, command, read_reply
from games.live.relay import CHANNEL, Relay
from tests.datastores import Redis

MESSAGE = b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$5\r\na\r\nb\n\r\n"


@pytest.fixture(scope="module")
def server():
    started = Redis()
    yield started
    started.close()


@pytest.fixture
async def client(server):
    asking = redis.asyncio.Redis.from_url(server.url, protocol=3)
    yield asking
    await asking.aclose()


def channel(heard, drained=lambda: None):
    return RedisChannel("c", heard.append, drained)


@pytest.mark.parametrize(
    ("data", "reply"),
    [
        (b":2\r\n", b"2"),
        (b"+OK\r\n", b"OK"),
        (b"_\r\n", b""),
        (b"$-1\r\n", None),
        (b"$0\r\n\r\n", b""),
        (b"*0\r\n", []),
        (MESSAGE, [b"message", b"c", b"a\r\nb\n"]),
        (b">2\r\n+moving\r\n*1\r\n:7\r\n", [b"moving", [b"7"]]),
    ],
)
def test_a_reply_is_read_up_to_its_end(data, reply):
    assert read_reply(b"before" + data + b"after", 6) == (reply, 6 + len(data))


def test_an_error_is_raised():
    with pytest.raises(RedisError, match="NOPERM"):
        read_reply(b"-NOPERM this channel\r\n", 0)


@pytest.mark.parametrize("length", range(len(MESSAGE)))
def test_a_part_of_a_reply_is_incomplete(length):
    with pytest.raises(Incomplete):
        read_reply(MESSAGE[:length], 0)


@pytest.mark.parametrize("size", [1, 2, 7, len(MESSAGE) + 1, 1000])
async def test_messages_are_heard_however_the_network_cuts_them(size):
    heard = []
    reading = channel(heard)
    data = b":1\r\n" + 3 * (MESSAGE + b":1\r\n")
    for start in range(0, len(data), size):
        reading.data_received(data[start : start + size])
    assert heard == 3 * [b"a\r\nb\n"]


@pytest.mark.parametrize("data", [b"-ERR no\r\n", b"$many\r\n"])
async def test_a_connection_that_answers_with_errors_is_given_up(data):
    reading = channel([])
    reading.data_received(data)
    assert isinstance(reading.lost.result(), RedisError)


async def test_when_redis_has_caught_up_the_sender_is_told():
    told = []
    reading = channel([], lambda: told.append("drained"))
    reading.pause_writing()
    assert reading.is_full
    assert not told
    reading.resume_writing()
    assert not reading.is_full
    assert told == ["drained"]


def test_a_command_says_how_long_its_words_are():
    assert command(b"PUBLISH", b"", b"\r\n") == b"*3\r\n$7\r\nPUBLISH\r\n$0\r\n\r\n$2\r\n\r\n\r\n"


async def test_all_subscribers_hear_a_message_and_its_sender_too(client):
    here, there = asyncio.Queue(), asyncio.Queue()
    channels = [RedisChannel("c", queue.put_nowait, lambda: None) for queue in (here, there)]
    for one in channels:
        await one.open(client)
    # Longer than what is read at once.
    for message in (b"short", b"x" * 2_000_000, b"last"):
        channels[0].publish(message)
        async with asyncio.timeout(10):
            assert await here.get() == message
            assert await there.get() == message
    for one in channels:
        await one.close()


async def test_what_was_published_is_sent_before_the_connection_is_closed(client):
    heard = asyncio.Queue()
    listening = RedisChannel("c", heard.put_nowait, lambda: None)
    leaving = channel([])
    await listening.open(client)
    await leaving.open(client)
    leaving.publish(b"x" * 2_000_000)
    await leaving.close()
    async with asyncio.timeout(10):
        assert len(await heard.get()) == 2_000_000
    await listening.close()


async def test_a_lost_connection_is_noticed(client):
    listening = channel([])
    await listening.open(client)
    await client.client_kill_filter(_type="pubsub")
    async with asyncio.timeout(10):
        assert isinstance(await listening.lost, OSError)
    await listening.abort()


async def test_without_redis_it_cannot_be_opened():
    nobody = redis.asyncio.Redis.from_url("redis://127.0.0.1:1", protocol=3)
    with pytest.raises((RedisError, OSError)):
        await channel([]).open(nobody)


async def test_all_that_a_round_of_the_loop_tells_goes_out_as_one_message(server, client):
    """A message that isn't a relay's doesn't disturb it."""
    heard, elsewhere, packets = asyncio.Queue(), asyncio.Queue(), asyncio.Queue()
    one = Relay(server.url, lambda *what: heard.put_nowait(what))
    other = Relay(server.url, lambda *what: elsewhere.put_nowait(what))
    counting = RedisChannel(CHANNEL, packets.put_nowait, lambda: None)
    await counting.open(client)
    listening = [asyncio.create_task(relay.listen()) for relay in (one, other)]
    async with asyncio.timeout(10):
        assert (await heard.get())[0] == (await elsewhere.get())[0] == "back"
        counting.publish(b"not a message of ours")
        other.tell_changed("first")
        other.tell_changed("second")
        assert [(await heard.get())[::2] for _ in range(2)] == [
            ("changed", "first"),
            ("changed", "second"),
        ]
        assert await packets.get() == b"not a message of ours"
        assert b"first" in (packet := await packets.get())
        assert b"second" in packet
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    for relay in (one, other):
        await relay.close()
    await counting.close()
