"""Two people who play while something else happens, and how long their moves take."""

import asyncio
import time
from contextlib import asynccontextmanager

from tests.faults.player import Player, joined
from tests.live.client import new_pair

# The limit on the 99th percentile of moves in seconds, for players on the core that is attacked.
UNHURT = 0.25
BETWEEN_MOVES = 0.02


@asynccontextmanager
async def pair_of_players(server):
    match_id, *tokens = await asyncio.to_thread(
        new_pair, server, "chain-factor", options={"pool": 100}
    )
    async with joined(*(Player(lambda: server.ws, match_id, one) for one in tokens)) as players:
        yield players


async def play_beside(players, until):
    """Play until a future is done or the match is over; return the seconds of each move."""
    moves = []
    while not (until.done() or players[0].is_over):
        mover, waits = players if players[0].may_move else reversed(players)
        begin = time.monotonic()
        assert await mover.played(mover.board["legal"][-1]) is None
        moves.append(time.monotonic() - begin)
        await waits.until(lambda waits=waits: waits.may_move or waits.is_over)
        await asyncio.sleep(BETWEEN_MOVES)
    return moves


async def attacked(server, attack):
    """Run a blocking attack in a thread while two people play; return its result and the moves.

    They are there before it begins, and start another match when one is over.
    """
    async with pair_of_players(server) as players:
        attacking = asyncio.ensure_future(asyncio.to_thread(attack))
        moves = await play_beside(players, attacking)
    while not attacking.done():
        async with pair_of_players(server) as players:
            moves += await play_beside(players, attacking)
    return await attacking, moves


def percentile_99(moves):
    return sorted(moves)[int(len(moves) * 0.99)]
