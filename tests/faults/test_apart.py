"""Players and spectators on different processes: everyone sees the same."""

import asyncio
import json
from contextlib import asynccontextmanager

import websockets

from games.live.listing import PRESENT_FOR
from tests.faults.player import Player, joined
from tests.live.client import call, connected, get, join, new_guest, new_match, new_pair, post


@asynccontextmanager
async def at_table(pair, spectators=(0, 1, 1), **settings):
    """Connect Player 1 to one process, Player 2 to the other, and spectators to both."""
    match_id, *tokens = await asyncio.to_thread(new_pair, pair[0], **settings)
    near, far = (lambda: pair[0].ws), (lambda: pair[1].ws)
    async with joined(
        Player(near, match_id, tokens[0]),
        Player(far, match_id, tokens[1]),
        *(Player((near, far)[side], match_id) for side in spectators),
    ) as everybody:
        yield everybody


async def all_see(everybody, holds, seconds=10):
    for one in everybody:
        await one.until(lambda one=one: holds(one), seconds)


async def test_everybody_sees_who_is_there_and_how_many_watch(pair):
    async with at_table(pair) as everybody:
        here = {"1": "here", "2": "here"}
        await all_see(
            everybody,
            lambda one: one.presence["players"] == here and one.presence["spectators"] == 3,
        )
        await everybody[1].leave()
        await everybody[2].leave()
        rest = [everybody[0], *everybody[3:]]
        away = {"1": "here", "2": "away"}
        await all_see(
            rest,
            lambda one: one.presence["players"] == away and one.presence["spectators"] == 2,
        )


async def test_a_win_can_be_claimed_when_the_opponent_on_the_other_process_leaves(pair):
    async with at_table(pair, spectators=(1,), pace="now") as (first, second, spectator):
        assert await first.played(6) is None
        await second.until(lambda: second.may_move)
        assert await first.asked("claim") is not None
        await second.leave()
        await first.until(lambda: (claim := first.presence["claim"]) and claim["seat"] == 1, 15)
        await asyncio.sleep(first.presence["claim"]["in"])
        assert await first.asked("claim") is None
        await spectator.until(lambda: spectator.is_over)
        assert spectator.board["outcome"]["code"] == "claim"


async def test_a_new_name_is_seen_by_everybody_on_both_processes(pair):
    async with at_table(pair) as everybody:
        path, token = "/api/me/", everybody[0].token
        status, _ = await asyncio.to_thread(call, pair[1], "PATCH", path, {"name": "Ada"}, token)
        assert status == 200
        await all_see(everybody, lambda one: one.board["players"]["1"]["name"] == "Ada")


async def test_a_player_seen_by_the_other_process_has_seen_the_match(pair):
    """They were on its page while it was played, made no move, and left."""
    match_id, one, two = await asyncio.to_thread(new_pair, pair[0], pace="now")
    async with joined(Player(lambda: pair[1].ws, match_id, two)) as (second,):
        await second.until(lambda: second.presence and second.presence["unseen"] == [1], 15)
        refusal = await second.asked("claim")
        assert refusal["code"] == "not_seen"
        async with joined(Player(lambda: pair[0].ws, match_id, one)):
            await second.until(lambda: second.presence["players"]["1"] == "here")
        await second.until(lambda: second.presence["claim"], 15)
        assert second.presence["unseen"] == []
        await asyncio.sleep(second.presence["claim"]["in"])
        assert await second.asked("claim") is None


async def test_no_win_can_be_claimed_once_the_opponent_reconnects_to_the_other_process(pair):
    match_id, one, two = await asyncio.to_thread(new_pair, pair[0], pace="now")
    async with joined(
        Player(lambda: pair[0].ws, match_id, one), Player(lambda: pair[0].ws, match_id, two)
    ) as (first, second):
        assert await first.played(6) is None
        await second.leave()
        await first.until(lambda: first.presence["claim"], 15)
        async with joined(Player(lambda: pair[1].ws, match_id, two)):
            await first.until(lambda: first.presence["players"]["2"] == "here")
            assert first.presence["claim"] is None
            refusal = await first.asked("claim")
            assert refusal["code"] == "still_here"


async def test_players_on_two_processes_agree_on_a_rematch_and_everybody_can_follow(pair):
    async with at_table(pair) as everybody:
        first, second = everybody[:2]
        assert await first.asked("resign") is None
        await all_see(everybody, lambda one: one.is_over)
        first.ask("rematch")
        await all_see(everybody, lambda one: one.board["rematch"]["offered_by"] == 1)
        second.ask("rematch")
        await all_see(everybody, lambda one: one.board["rematch"]["next"])
        assert len({one.board["rematch"]["next"] for one in everybody}) == 1


async def test_two_rematch_offers_at_the_same_time_create_one_rematch(pair, database):
    before = len(database.records())
    for _ in range(5):
        async with at_table(pair, spectators=()) as (first, second):
            assert await first.asked("resign") is None
            await second.until(lambda second=second: second.is_over)
            first.ask("rematch")
            second.ask("rematch")
            await all_see((first, second), lambda one: one.board["rematch"]["next"])
            following = {one.board["rematch"]["next"] for one in (first, second)}
            assert len(following) == 1
    assert len(database.records()) == before + 10


async def test_a_process_shows_joins_and_cancellations_made_on_the_other(pair):
    token = new_guest(pair[0])
    match_id, other = new_match(pair[0], token), new_match(pair[0], token)
    async with (
        connected(pair[0], match_id, token) as waits,
        connected(pair[0], other, token) as cancels,
    ):
        assert join(pair[1], match_id, new_guest(pair[1]))[0] == 200
        while waits.board["status"] != "live":
            await waits.receive("snapshot", seconds=4)
        cancelled = post(pair[1], f"/api/matches/{other}/cancel/", {}, token)
        assert cancelled == (200, {})
        while cancels.board["status"] != "cancelled":
            await cancels.receive("snapshot", seconds=4)


class Lobby:
    """A lobby socket; waits for the messages that a test expects."""

    def __init__(self, socket):
        self.socket = socket

    async def until(self, holds, seconds=10):
        async with asyncio.timeout(seconds):
            while True:
                shown = json.loads(await self.socket.recv())
                if holds(shown):
                    return


def entry(shown, match_id, kind):
    return next((each for each in shown[kind] if each["id"] == match_id), None)


async def test_both_lobbies_show_the_same(pair):
    async with (
        websockets.connect(f"{pair[0].ws}/ws/lobby/") as near,
        websockets.connect(f"{pair[1].ws}/ws/lobby/") as far,
    ):
        lobbies = Lobby(near), Lobby(far)
        token = await asyncio.to_thread(new_guest, pair[0])
        match_id = await asyncio.to_thread(new_match, pair[0], token, listed=True)
        sides = [lambda server=server: server.ws for server in pair]
        async with joined(Player(sides[0], match_id, token)) as (player,):
            for lobby in lobbies:
                await lobby.until(lambda shown: entry(shown, match_id, "open"))
            assert (await asyncio.to_thread(join, pair[1], match_id, new_guest(pair[1])))[0] == 200
            for lobby in lobbies:
                await lobby.until(lambda shown: entry(shown, match_id, "live"))
            assert await player.played(6) is None
            for lobby in lobbies:
                await lobby.until(lambda shown: entry(shown, match_id, "live")["version"] == 1)
            async with joined(*(Player(sides[n], match_id) for n in (0, 1, 1))):
                for lobby in lobbies:
                    await lobby.until(
                        lambda shown: entry(shown, match_id, "live")["spectators"] == 3
                    )
                for server in pair:
                    shown = (await asyncio.to_thread(get, server, "/api/matches/?live=1"))[1]
                    assert entry(shown, match_id, "live")["spectators"] == 3
            assert await player.asked("resign") is None
            for lobby in lobbies:
                await lobby.until(lambda shown: not entry(shown, match_id, "live"))


async def test_an_invitation_leaves_the_other_process_s_lobby_when_its_maker_is_gone(pair):
    async with websockets.connect(f"{pair[1].ws}/ws/lobby/") as far:
        lobby, token = Lobby(far), await asyncio.to_thread(new_guest, pair[0])
        match_id = await asyncio.to_thread(new_match, pair[0], token, listed=True)
        async with joined(Player(lambda: pair[0].ws, match_id, token)):
            await lobby.until(lambda shown: entry(shown, match_id, "open"))
        await lobby.until(lambda shown: not entry(shown, match_id, "open"), PRESENT_FOR + 10)
