"""Live matches inside the test process, with clients that need no network."""

import json
from threading import Barrier

from django.db import connection

from games.live.socket import Socket
from games.matches import database, services
from games.models import Guest


def new_match(game="number-tower-duel"):
    one, two = (Guest.objects.create(name=name) for name in ("Ada", "Bo"))
    match, _ = services.create_match(guest=one, game=game, starts="me")
    services.join_match(match_id=match.pk, guest=two)
    return match, one, two


class FakeClient:
    """A client that keeps every message it is sent."""

    def __init__(self, guest=None, address=""):
        self.messages = []
        self.socket = Socket(self.send, guest and guest.pk, address=address)

    async def send(self, message):
        self.messages.append(json.loads(message["text"]))

    def of_type(self, *types):
        return [message for message in self.messages if message["type"] in types]


async def settled(writer, *clients):
    await writer.finished()
    for client in clients:
        await client.socket.sent()


def close_connections():
    """Close the connections of the database threads, which outlive a test."""
    for pool in (database._readers, database._writer):
        # A thread waiting at the barrier can't take a second job, so every thread closes its own.
        barrier = Barrier(pool._max_workers)
        for future in [pool.submit(_close, barrier) for _ in range(pool._max_workers)]:
            future.result(timeout=10)


def _close(barrier):
    barrier.wait(timeout=10)
    connection.close()
