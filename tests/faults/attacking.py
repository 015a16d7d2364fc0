"""Attacks from a process of their own, and two people on the same server who measure them.

In the test's own process, an attack would slow down the people who measure it.
"""

import asyncio
import http.client
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import new_pair
from tests.serving import Server

# The slowest move but one in a hundred, in seconds, for people who share a core with the attack.
UNHURT = 0.25


async def people_beside(
    server: Server, measured: dict[str, object], attack: Callable[..., Any], *arguments: Any
) -> Any:
    """Run an attack while two people play; check their moves and return what the attack returns."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pair = await asyncio.to_thread(new_pair, server, "chain-factor", options={"pool": 100})
        match_id, *tokens = pair
        async with joined(*(Player(lambda: server.ws, match_id, token) for token in tokens)) as two:
            attacking = asyncio.get_running_loop().run_in_executor(
                pool, attack, server.port, *arguments
            )
            moves = await play_beside(two, attacking, think=0.1)
            result = await attacking
    measured["people's moves"] = len(moves)
    measured["p99, slowest"] = [p99(moves), max(moves)]
    assert len(moves) > 10
    assert p99(moves) < UNHURT
    return result


class Connection:
    """One kept connection, for as many requests a second as the server answers."""

    def __init__(self, port: int) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(
        self, method: str, path: str, data: Any = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Return the status and the JSON of the answer; pages have none."""
        content = None if data is None else json.dumps(data)
        self.http.request(method, path, content, {"Content-Type": "application/json", **headers})
        response = self.http.getresponse()
        text = response.read()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, json.loads(text) if is_json else {}
