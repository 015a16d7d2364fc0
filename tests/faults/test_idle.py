"""Sockets that are idle for a while are not closed."""

import asyncio

import pytest
import websockets

from tests.faults.player import Player, joined
from tests.live.client import new_pair


@pytest.mark.parametrize("seconds", [6, pytest.param(180, marks=pytest.mark.faults_long)])
async def test_idle_sockets_stay_open(pair, measured, seconds):
    match_id, one, two = await asyncio.to_thread(new_pair, pair[0])
    addresses = [lambda server=server: server.ws for server in pair]
    idle = [Player(address, match_id, beats=False) for address in addresses * 20]
    players = [Player(addresses[0], match_id, one), Player(addresses[1], match_id, two)]
    async with joined(*idle, *players):
        lobbies = [await websockets.connect(f"{server.ws}/ws/lobby/") for server in pair]
        await asyncio.sleep(seconds)
        assert not any(player.closings for player in idle)
        assert all(lobby.close_code is None for lobby in lobbies)
        assert await players[0].played(6) is None
        for player in idle:
            await player.until(lambda player=player: player.version == 1)
        assert not any(player.closings for player in idle)
        for lobby in lobbies:
            await lobby.close()
        measured["idle sockets"] = len(idle)
