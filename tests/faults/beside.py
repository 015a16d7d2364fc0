"""Two people who play beside an attack, and what they notice of it."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial

from tests.faults.player import Player


async def play_beside(players: Sequence[Player], until: asyncio.Task) -> list[float]:
    """Play until a task is done; return the seconds that each move took."""
    moves = []
    while not until.done():
        mover, waits = players if players[0].may_move else reversed(players)
        begin = time.monotonic()
        assert await mover.played(mover.board["legal"][-1]) is None
        moves.append(time.monotonic() - begin)
        if mover.is_over:
            break
        await waits.until(partial(getattr, waits, "may_move"))
        await asyncio.sleep(0.05)
    return moves


def slowest_but_one_in_a_hundred(moves: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return sorted(moves)[max(0, len(moves) - 1 - len(moves) // 100)]
