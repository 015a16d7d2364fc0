"""Everybody reconnects at once, as when a school's network comes back."""

import asyncio
import time
from random import Random

import pytest

from tests.faults.player import Player, joined
from tests.live.client import new_pair


@pytest.mark.parametrize(
    ("sockets", "seconds"), [(200, 1), pytest.param(1000, 5, marks=pytest.mark.faults_long)]
)
async def test_everybody_can_reconnect_at_once(alone, measured, sockets, seconds):
    rng = Random(1)
    matches = [await asyncio.to_thread(new_pair, alone) for _ in range(sockets // 20)]
    crowd = [
        Player(lambda: alone.ws, match_id, token)
        for match_id, one, two in matches
        for token in (one, two, *[None] * 18)
    ]
    async with joined(*crowd):
        begin = time.monotonic()
        for player in crowd:
            asyncio.get_running_loop().call_later(seconds * rng.random(), player.drop)
        for player in crowd:
            await player.until(lambda player=player: player.closings, 10)
        for player in crowd:
            await player.until(
                lambda player=player: player.is_connected, 30 - (time.monotonic() - begin)
            )
        measured["all connected after"] = time.monotonic() - begin
        # Nobody was disconnected again.
        assert all(len(player.closings) == 1 for player in crowd)
