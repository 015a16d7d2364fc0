"""Posts web push messages to the browsers' push services, in the background.

It never makes a move wait: the queue is bounded, encrypting happens in a thread of its own, and few
messages are under way at once. If the queue is full, the oldest message is dropped, because a newer
one says more. What the services answer decides about the subscription.
"""

import asyncio
import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from django.conf import settings

from games.guests import endpoints, subscriptions
from games.live.metrics import PUSHES
from games.live.tasks import Tasks, log_failure
from games.matches import database
from games.models import PushSubscription

if TYPE_CHECKING:
    import aiohttp

logger = logging.getLogger(__name__)

LONGEST_QUEUE = 1_000
MOST_AT_ONCE = 8
# Seconds for one message, from looking up the name to the answer.
LONGEST_POST = 10.0
# Push services accept signatures that are valid for at most a day.
SIGNED_FOR = 12 * 60 * 60
SIGNED_AGAIN_AFTER = 60 * 60
MOST_SIGNATURES = 100


class Message(NamedTuple):
    """One message to one browser."""

    subscription: PushSubscription
    # Called in a thread, because the first text in a language loads all of them.
    content: Callable[[], Mapping[str, str]]
    # Replaces an undelivered message with the same topic. At most 32 characters of base64url.
    topic: str
    # How many seconds it is worth delivering.
    ttl: int


class NotPublic(OSError):
    """A push service's name leads to an address outside the public internet."""


class Posting:
    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self._queue: deque[Message] = deque()
        self._under_way = 0
        self._session: aiohttp.ClientSession | None = None
        self._encrypting: ThreadPoolExecutor | None = None
        # A signature for each push service, and when it was made.
        self._signatures: dict[str, tuple[float, str]] = {}

    def post(self, message: Message) -> None:
        """Post a message as soon as possible. Returns at once."""
        if len(self._queue) >= LONGEST_QUEUE:
            self._queue.popleft()
            PUSHES.labels("dropped").inc()
        self._queue.append(message)
        if self._under_way < MOST_AT_ONCE:
            self._under_way += 1
            self.tasks.spawn(self._work())

    async def close(self) -> None:
        self._queue.clear()
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._encrypting is not None:
            self._encrypting.shutdown(wait=False, cancel_futures=True)
            self._encrypting = None

    async def _work(self) -> None:
        """Post messages until the queue is empty."""
        try:
            while self._queue:
                message = self._queue.popleft()
                try:
                    status = await self._send(message)
                    await self._note(message.subscription, status)
                except Exception as error:
                    # A mistake of ours, or the database is away: the next message may work.
                    log_failure(error)
        finally:
            self._under_way -= 1

    async def _send(self, message: Message) -> int:
        """Return the push service's status; 0 if there was none."""
        endpoint = message.subscription.endpoint
        # The list of services may have changed since it was stored.
        if not endpoints.is_known(endpoint):
            return 410
        loop = asyncio.get_running_loop()
        if self._encrypting is None:
            self._encrypting = ThreadPoolExecutor(1, thread_name_prefix="push")
        try:
            async with asyncio.timeout(LONGEST_POST):
                body, headers = await loop.run_in_executor(self._encrypting, self._encrypt, message)
                session = self._session = self._session or _new_session()
                async with session.post(
                    endpoint, data=body, headers=headers, allow_redirects=False
                ) as response:
                    return response.status
        except (OSError, TimeoutError, _client_error()) as error:
            # Not the endpoint, which is a secret.
            logger.info("%s: %s", endpoints.origin_of(endpoint), type(error).__name__)
            return 0

    def _encrypt(self, message: Message) -> tuple[bytes, dict[str, str]]:
        """Return the body and the headers of a message. Runs in a thread."""
        # Importing it takes a quarter of a second, and most processes never need it.
        from pywebpush import WebPusher

        row = message.subscription
        keys = {"p256dh": row.p256dh, "auth": row.auth}
        pusher = WebPusher({"endpoint": row.endpoint, "keys": keys})
        body = pusher.encode(msgspec.json.encode(message.content()))["body"]
        return body, {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(message.ttl),
            "Topic": message.topic,
            "Urgency": "high",
            "Authorization": self._signature_for(endpoints.origin_of(row.endpoint)),
        }

    def _signature_for(self, origin: str) -> str:
        """Return the header that proves to a push service who we are."""
        from py_vapid import Vapid02

        now = time.time()
        made, signature = self._signatures.get(origin, (0.0, ""))
        if not 0 <= now - made < SIGNED_AGAIN_AFTER:
            claims = {"aud": origin, "exp": int(now) + SIGNED_FOR, "sub": settings.PUSH_CONTACT}
            key = Vapid02.from_raw(settings.PUSH_KEY.encode())
            # The push service may judge our contact address, not the library.
            key.conf = {"no-strict": True}
            signature = str(key.sign(claims)["Authorization"])
            if len(self._signatures) >= MOST_SIGNATURES:
                self._signatures.clear()
            self._signatures[origin] = (now, signature)
        return signature

    async def _note(self, row: PushSubscription, status: int) -> None:
        """Keep or delete a subscription, depending on what the push service answered."""
        if 200 <= status < 300:
            PUSHES.labels("sent").inc()
            if row.failures:
                await database.write(subscriptions.taken, row.pk)
        elif status in (404, 410):
            PUSHES.labels("gone").inc()
            await database.write(subscriptions.gone, row.pk)
        else:
            PUSHES.labels("failed").inc()
            await database.write(subscriptions.failed, row.pk)


def _client_error() -> type[Exception]:
    import aiohttp

    return aiohttp.ClientError


def _new_session() -> "aiohttp.ClientSession":
    """Return an HTTP client that connects to public addresses only, and follows no redirects."""
    import aiohttp
    from aiohttp.abc import AbstractResolver

    class PublicOnly(AbstractResolver):
        """Looks names up, and returns what the client then connects to.

        The client asks nobody else, so a name can't change between the check and the connection.
        """

        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
        ) -> Any:
            return await resolve(host, port, family)

        async def close(self) -> None:
            pass

    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            resolver=PublicOnly(), use_dns_cache=False, limit=MOST_AT_ONCE
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=LONGEST_POST),
        # No proxy and no password from the environment.
        trust_env=False,
    )


async def resolve(host: str, port: int, family: socket.AddressFamily) -> list[dict[str, Any]]:
    """Look a name up, for aiohttp; raise `NotPublic` if any of its addresses is private."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
    addresses = [(str(address[0]), kind, protocol) for kind, _, protocol, _, address in found]
    is_public = all(endpoints.is_public(address) for address, _, _ in addresses)
    if not is_public and host != urlsplit(settings.PUSH_TEST_SERVICE).hostname:
        raise NotPublic(f"{host} leads to a private address")
    return [
        {
            "hostname": host,
            "host": address,
            "port": port,
            "family": kind,
            "proto": protocol,
            "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
        }
        for address, kind, protocol in addresses
    ]
