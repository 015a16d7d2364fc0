"""Two people who play while something else happens, and how long their moves take."""

import asyncio
import time

from tests.faults.player import Player, joined
from tests.live.client import new_pair

# Limits on the 99th percentile of moves, in seconds: on the same core as what is attacked.
UNHURT = 0.25
BETWEEN_MOVES = 0.02


async def play_beside(server, until):
    """Play one match after the other until a future is done; return the seconds of each move."""
    moves = []
    while not until.done():
        match_id, *tokens = await asyncio.to_thread(
            new_pair, server, "chain-factor", options={"pool": 100}
        )
        async with joined(*(Player(lambda: server.ws, match_id, one) for one in tokens)) as players:
            while not (until.done() or players[0].is_over):
                mover, waits = players if players[0].may_move else reversed(players)
                begin = time.monotonic()
                assert await mover.played(mover.board["legal"][-1]) is None
                moves.append(time.monotonic() - begin)
                await waits.until(lambda waits=waits: waits.may_move or waits.is_over)
                await asyncio.sleep(BETWEEN_MOVES)
    return moves


def percentile_99(moves):
    return sorted(moves)[int(len(moves) * 0.99)]


async def attacked(server, attack):
    """Run a blocking attack in a thread while two people play; return its result and the moves."""
    attacking = asyncio.ensure_future(asyncio.to_thread(attack))
    moves = await play_beside(server, attacking)
    return await attacking, moves
