"""Two people play while something happens to their server, and their moves are timed."""

import asyncio
import time
from functools import partial

# A quick pair: one move after the other, with a short thought.
THOUGHT = 0.03


async def play_beside(players, until):
    """Play until that task is done or the match is over; return the seconds each move took."""
    moves = []
    while not until.done() and not players[0].is_over:
        mover, waits = players if players[0].may_move else reversed(players)
        begin = time.monotonic()
        assert await mover.played(mover.board["legal"][-1]) is None
        moves.append(time.monotonic() - begin)
        await waits.until(
            partial(lambda one, version: one.version >= version, waits, mover.version)
        )
        await asyncio.sleep(THOUGHT)
    return moves


def p99(seconds):
    """Return the time that 99 of 100 moves stay below."""
    return sorted(seconds)[max(0, len(seconds) * 99 // 100 - 1)]
