"""Health checks and metrics for operators.

These requests don't go through Django, because a probe uses an IP address instead of a host name.
"""

from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Any

import msgspec
from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from games.live.process import Process

Send = Callable[[dict[str, Any]], Awaitable[None]]
Answer = tuple[int, str, bytes]

JSON = "application/json"
# What proxies add to a request.
FORWARDED = (b"x-forwarded-for", b"forwarded")


async def alive(process: Process) -> Answer:
    return 200, JSON, b'{"status":"alive"}'


async def ready(process: Process) -> Answer:
    """Report ready if everything can be written and reached; otherwise name what can't."""
    failed = await process.readiness.failed_parts()
    if not failed:
        return 200, JSON, b'{"status":"ready"}'
    # The reasons are in the log: they may tell strangers too much.
    text = f"Not ready: {', '.join(failed)}."
    return 503, JSON, msgspec.json.encode({"code": "not_ready", "text": text})


async def metrics(process: Process) -> Answer:
    return 200, CONTENT_TYPE_LATEST, generate_latest()


METRICS = "/metrics/"
ADDRESSES = {"/health/alive/": alive, "/health/ready/": ready, METRICS: metrics}


def is_for(scope: dict[str, Any]) -> bool:
    """Return whether to answer this request here; everything else is for the pages."""
    path = scope["path"]
    return path in ADDRESSES and (path != METRICS or settings.METRICS_PUBLIC or is_local(scope))


def is_local(scope: dict[str, Any]) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it."""
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    try:
        return ip_address((scope.get("client") or [""])[0]).is_loopback
    except ValueError:
        return False


async def answer(scope: dict[str, Any], send: Send, process: Process) -> None:
    status, content_type, body = await ADDRESSES[scope["path"]](process)
    headers = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
