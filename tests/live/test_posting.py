"""Messages are posted to push services: encrypted, bounded, and nowhere else."""

import asyncio
import logging
import socket
import time

import pytest
from prometheus_client import REGISTRY

from games.guests import subscriptions
from games.live import posting
from games.live.posting import Message, NotPublic, Posting
from games.live.tasks import Tasks
from games.matches import database, services
from games.models import PushSubscription
from tests.guests.push_service import new_keys, push_service

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


@pytest.fixture
def service(settings):
    with push_service() as service:
        settings.PUSH_TEST_SERVICE = service.origin
        yield service


@pytest.fixture
async def poster():
    tasks = Tasks()
    poster = Posting(tasks)
    yield poster
    await tasks.stop()
    await poster.close()


def stored(subscription, failures=0):
    subscriptions.subscribe(
        services.new_guest(), subscription["endpoint"], language="en", **subscription["keys"]
    )
    row = PushSubscription.objects.get(digest=subscriptions.digest_of(subscription["endpoint"]))
    PushSubscription.objects.filter(pk=row.pk).update(failures=failures)
    row.failures = failures
    return row


def message(row, text="Hello"):
    return Message(row, lambda: {"body": text}, "a-topic", 60)


def count(result):
    return REGISTRY.get_sample_value("numgames_pushes_total", {"result": result}) or 0


async def exists(row):
    return await database.read(PushSubscription.objects.filter(pk=row.pk).exists)


async def failures(row):
    return (await database.read(PushSubscription.objects.get, pk=row.pk)).failures


async def test_a_message_arrives_encrypted_and_signed(service, poster):
    row = await database.write(stored, service.subscription("a"))
    poster.post(message(row))
    await poster.tasks.finished()
    (received,) = service.received
    assert received.path == "/push/a"
    assert received.message == {"body": "Hello"}
    headers = received.headers
    assert (headers["ttl"], headers["topic"], headers["urgency"]) == ("60", "a-topic", "high")
    assert subscriptions.public_key() in headers["authorization"]
    assert await exists(row)


@pytest.mark.parametrize("status", [404, 410])
async def test_a_subscription_that_is_gone_is_deleted(status, service, poster):
    row = await database.write(stored, service.subscription("gone"))
    service.statuses["/push/gone"] = status
    poster.post(message(row))
    await poster.tasks.finished()
    assert not await exists(row)


@pytest.mark.parametrize("status", [301, 307, 400, 403, 429, 500])
async def test_other_failures_are_counted_and_redirects_are_not_followed(status, service, poster):
    row = await database.write(stored, service.subscription("bad"))
    service.statuses["/push/bad"] = status
    poster.post(message(row))
    await poster.tasks.finished()
    assert await failures(row) == 1
    assert [received.path for received in service.received] == ["/push/bad"]


async def test_the_tenth_failure_in_a_row_ends_a_subscription(service, poster):
    row = await database.write(stored, service.subscription("bad"), failures=9)
    service.statuses["/push/bad"] = 500
    poster.post(message(row))
    await poster.tasks.finished()
    assert not await exists(row)


async def test_a_success_forgives_the_failures_before_it(service, poster):
    row = await database.write(stored, service.subscription(), failures=9)
    poster.post(message(row))
    await poster.tasks.finished()
    assert await failures(row) == 0


async def test_a_service_that_does_not_answer_is_given_up(service, poster, monkeypatch):
    row = await database.write(stored, service.subscription())
    poster.post(message(row))  # loads the library
    await poster.tasks.finished()
    monkeypatch.setattr(posting, "LONGEST_POST", 0.3)
    service.delay = 1.0
    began = time.monotonic()
    poster.post(message(row))
    await poster.tasks.finished()
    assert time.monotonic() - began < 0.9
    assert await failures(row) == 1


async def test_few_messages_are_under_way_at_once(service, poster):
    service.delay = 0.05
    rows = [await database.write(stored, service.subscription(f"{n}")) for n in range(20)]
    for row in rows:
        poster.post(message(row))
    await poster.tasks.finished()
    assert len(service.received) == 20
    assert service.most_at_once <= posting.MOST_AT_ONCE


async def test_a_full_queue_drops_the_oldest_message(service, poster, monkeypatch):
    monkeypatch.setattr(posting, "LONGEST_QUEUE", 3)
    row = await database.write(stored, service.subscription())
    dropped = count("dropped")
    for number in range(10):
        poster.post(message(row, f"{number}"))
    await poster.tasks.finished()
    assert sorted(received.message["body"] for received in service.received) == ["7", "8", "9"]
    assert count("dropped") - dropped == 7


async def test_a_failure_of_ours_does_not_hold_up_the_next_message(service, poster, monkeypatch):
    monkeypatch.setattr(posting, "MOST_AT_ONCE", 1)
    row = await database.write(stored, service.subscription())

    def fail():
        raise ValueError("on purpose")

    poster.post(Message(row, fail, "a-topic", 60))
    poster.post(message(row))
    await poster.tasks.finished()
    assert len(service.received) == 1
    assert await failures(row) == 0


async def test_posting_returns_at_once(service, poster):
    service.delay = 0.5
    row = await database.write(stored, service.subscription())
    began = time.monotonic()
    for _ in range(posting.LONGEST_QUEUE):
        poster.post(message(row))
    assert time.monotonic() - began < 0.2


# --- Where it may connect to --------------------------------------------------------------------


def leading_to(monkeypatch, *answers):
    """Let every name lead to these addresses, one answer after the other; return the questions."""
    loop, asked = asyncio.get_running_loop(), []

    async def getaddrinfo(host, port, **_):
        asked.append(host)
        addresses = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    monkeypatch.setattr(loop, "getaddrinfo", getaddrinfo)
    return asked


def connections(monkeypatch):
    """Let no connection succeed; return the addresses that were tried."""
    tried = []

    async def connect(_, address):
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", connect)
    return tried


FCM = {"endpoint": "https://fcm.googleapis.com/fcm/send/a", "keys": new_keys()[0]}


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["10.1.2.3"], ["169.254.169.254"], ["142.250.1.95", "192.168.0.1"]],
)
async def test_a_name_that_leads_into_a_private_network_is_not_connected_to(
    addresses, poster, monkeypatch
):
    row = await database.write(stored, FCM)
    asked = leading_to(monkeypatch, addresses)
    connected = connections(monkeypatch)
    poster.post(message(row))
    await poster.tasks.finished()
    assert asked == ["fcm.googleapis.com"]
    assert connected == []
    assert await failures(row) == 1


async def test_it_connects_to_the_address_that_was_checked_even_if_the_name_changes(
    poster, monkeypatch
):
    row = await database.write(stored, FCM)
    asked = leading_to(monkeypatch, ["142.250.1.95"], ["127.0.0.1"])
    connected = connections(monkeypatch)
    poster.post(message(row))
    await poster.tasks.finished()
    assert asked == ["fcm.googleapis.com"]
    assert connected == [("142.250.1.95", 443)]
    # The next message asks again, and is refused.
    poster.post(message(row))
    await poster.tasks.finished()
    assert len(asked) == 2
    assert len(connected) == 1


async def test_a_private_address_is_refused_by_the_resolver(monkeypatch):
    leading_to(monkeypatch, ["10.0.0.1"])
    with pytest.raises(NotPublic):
        await posting.resolve("fcm.googleapis.com", 443, socket.AF_UNSPEC)


async def test_a_service_that_left_the_list_is_not_posted_to(service, poster, settings):
    row = await database.write(stored, service.subscription())
    settings.PUSH_TEST_SERVICE = ""
    poster.post(message(row))
    await poster.tasks.finished()
    assert service.received == []
    assert not await exists(row)


async def test_failures_are_not_logged_for_the_operator_and_never_with_the_endpoint(
    poster, monkeypatch, caplog
):
    caplog.set_level(logging.DEBUG, "games")
    row = await database.write(stored, FCM)
    leading_to(monkeypatch, ["10.0.0.1"])
    poster.post(message(row))
    await poster.tasks.finished()
    assert "send" not in caplog.text
    assert all(record.levelno < logging.WARNING for record in caplog.records)
