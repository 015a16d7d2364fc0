"""Two people who play while something else happens, and how long each of their moves took."""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from tests.faults.player import Player, joined
from tests.live.client import new_pair
from tests.serving import Server

R = TypeVar("R")

# The limit on the 99th percentile of their moves, in seconds, on the same core as the attack.
UNHURT = 0.25
# Each has about fifty moves.
MATCHES = 6


async def play_beside(
    players: Sequence[Player], until: "asyncio.Future[object]", *, think: float = 0.05
) -> list[float]:
    """Play until the future is done or the match is over.

    Return how long each move took, from choosing it until both players were shown it.
    """
    moves = []
    while not (until.done() or any(player.is_over for player in players)):
        mover, waits = players if players[0].may_move else reversed(players)
        begin = time.monotonic()
        assert await mover.played(mover.board["legal"][-1], 30) is None
        await waits.until(partial(lambda seen, by: seen.version >= by.version, waits, mover), 30)
        moves.append(time.monotonic() - begin)
        await asyncio.sleep(think)
    return moves


async def attacked(server: Server, attack: Callable[[], R]) -> tuple[R, list[float]]:
    """Run a blocking attack in a thread while two people play one match after the other.

    Return the attack's result and how long each move took. The matches exist before it begins: some
    attacks use up what the players' own network may open.
    """
    pairs = [
        await asyncio.to_thread(new_pair, server, "chain-factor", options={"pool": 100})
        for _ in range(MATCHES)
    ]
    attacking = asyncio.ensure_future(asyncio.to_thread(attack))
    moves: list[float] = []
    for match_id, *tokens in pairs:
        if not attacking.done():
            two = (Player(lambda: server.ws, match_id, token) for token in tokens)
            async with joined(*two) as players:
                moves += await play_beside(players, attacking, think=0.02)
    return await attacking, moves


def p99(moves: Sequence[float]) -> float:
    return sorted(moves)[max(0, len(moves) - 1 - len(moves) // 100)]
