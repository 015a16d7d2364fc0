"""Two people who play while something else happens, and how long each of their moves took."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial

from tests.faults.player import Player


async def play_beside(
    players: Sequence[Player], until: "asyncio.Future[object]", think: float = 0.05
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


def p99(moves: Sequence[float]) -> float:
    return sorted(moves)[max(0, len(moves) - 1 - len(moves) // 100)]
