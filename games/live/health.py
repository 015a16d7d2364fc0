"""Health checks and metrics for operators.

These requests don't go through Django, because a probe uses an IP address instead of a host name.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from django.db import DatabaseError, connection
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis.exceptions import RedisError

from games.live.process import Process
from games.matches import database

Send = Callable[[dict[str, Any]], Awaitable[None]]
Answer = tuple[int, str, bytes]

# If the database or Redis takes longer than this to answer, it counts as away.
LONGEST_WAIT = 2.0
JSON = "application/json"


async def alive(process: Process) -> Answer:
    return 200, JSON, b'{"status":"alive"}'


async def ready(process: Process) -> Answer:
    """Report ready if the database and Redis answer; otherwise name those that don't."""
    parts = {"database": _ask_database()}
    if process.hub.relay is not None:
        parts["redis"] = process.hub.relay.ping()
    found = dict(zip(parts, await asyncio.gather(*map(_answers, parts.values())), strict=True))
    away = [name for name, answers in found.items() if not answers]
    if not away:
        return 200, JSON, b'{"status":"ready"}'
    text = f"No answer from {' and '.join(away)}."
    return 503, JSON, msgspec.json.encode({"code": "not_ready", "text": text})


async def metrics(process: Process) -> Answer:
    return 200, CONTENT_TYPE_LATEST, generate_latest()


ADDRESSES = {"/health/alive/": alive, "/health/ready/": ready, "/metrics/": metrics}


async def answer(scope: dict[str, Any], send: Send, process: Process) -> None:
    status, content_type, body = await ADDRESSES[scope["path"]](process)
    headers = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _answers(question: Awaitable[None]) -> bool:
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            await question
    except (DatabaseError, RedisError, OSError, TimeoutError):
        return False
    return True


async def _ask_database() -> None:
    await database.read(_select_one)


def _select_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
