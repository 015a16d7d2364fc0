"""Whole matches through sockets."""

import asyncio
import json
from random import Random

import pytest

from games.rules import GAMES, PASS
from games.sentences import to_json
from tests.live.client import connected, fresh, new_guest, new_match, new_pair


def without(snapshot, *keys):
    return {key: value for key, value in snapshot.items() if key not in keys}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("slug", "options"),
    [
        *((slug, {}) for slug in GAMES),
        ("number-tower-duel", {"pool": 20, "opening": "even"}),
        ("number-blossoms", {"pool": 15}),
        ("number-collapse", {"size": 4}),
    ],
)
async def test_a_snapshot_with_updates_equals_a_new_snapshot_and_a_replay(
    server, slug, options, seed
):
    await random_match(server, slug, options, Random(seed))


async def random_match(server, slug, options, rng):
    match_id, one, two = new_pair(server, slug, options=options)
    game = GAMES[slug]
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
        connected(server, match_id) as spectator,
    ):
        clients = (first, second, spectator)
        assert [client.board["you"] for client in clients] == [[1], [2], []]
        state = game.from_json(first.board["state"])
        while first.board["outcome"] is None:
            mover = clients[first.board["turn"] - 1]
            move = rng.choice(first.board["legal"])
            answer = await mover.played(move)
            assert answer["type"] == "update"
            state = game.play(state, state.turn, move).state
            if game.legal_moves(state) == (PASS,):
                state = game.play(state, state.turn, PASS).state
            now = fresh(server, match_id)
            for client in clients:
                await client.until(now["version"])
                assert without(client.board, "you") == without(now, "you")
            assert game.from_json(now["state"]) == state
            assert now["legal"] == list(game.legal_moves(state))
            assert now["why"] == {str(n): text for n, text in game.why_not(state).items()}
        outcome = game.outcome(state)
        assert first.board["outcome"] == {**outcome._asdict(), **to_json(outcome.text)}
        assert first.board["status"] == "finished"
        assert (await first.played(1))["code"] == "finished"
        history = first.board["history"]
        assert [entry["version"] for entry in history] == list(range(1, len(history) + 1))


async def test_the_server_plays_a_forced_pass_as_a_separate_action(server):
    match_id, one, two = new_pair(server, "number-blossoms")
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
    ):
        await first.played(6)
        await second.until(1)
        await second.played(5)
        await first.until(2)
        await first.played(2)
        await second.until(4)
        move, forced = second.board["history"][2:]
        assert (move["seat"], move["move"]) == (1, 2)
        assert (forced["seat"], forced["move"]) == (2, "pass")
        assert second.board["turn"] == 1
        passing = await second.played("pass")
        assert passing["code"] == "not_your_turn"


async def test_sending_the_same_id_five_times_makes_one_move(server):
    match_id, one, _two = new_pair(server)
    async with connected(server, match_id, one) as first:
        for _ in range(5):
            await first.move(6, version=0, client_id="same")
        answers = [await first.receive("update", "rejected") for _ in range(5)]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0]["type"] == "update"
        again = await first.played(6, version=0, client_id="same")
        assert again == answers[0]
    async with connected(server, match_id, one) as first:
        assert first.version == 1
        assert await first.played(6, version=0, client_id="same") == answers[0]
    assert fresh(server, match_id)["version"] == 1


async def test_if_two_sockets_move_at_the_same_version_one_move_is_accepted(server):
    """Play 500 rounds on one device, where both sockets may move. The other move is rejected."""

    async def answer_to(client, client_id):
        while True:
            answer = await client.receive("update", "rejected")
            if answer["id"] == client_id:
                return answer

    token, rng, rounds = new_guest(server), Random(3), 0
    while rounds < 500:
        match_id = new_match(server, token, "chain-factor", same_device=True, options={"pool": 100})
        async with (
            connected(server, match_id, token) as left,
            connected(server, match_id, token) as right,
        ):
            while left.board["outcome"] is None and rounds < 500:
                rounds += 1
                version, moves = left.version, left.board["legal"]
                ids = f"l{version}", f"r{version}"
                await asyncio.gather(
                    left.move(rng.choice(moves), version, ids[0]),
                    right.move(rng.choice(moves), version, ids[1]),
                )
                answers = [
                    await answer_to(left, ids[0]),
                    await answer_to(right, ids[1]),
                ]
                types = sorted(answer["type"] for answer in answers)
                assert types == ["rejected", "update"]
                refused = next(one for one in answers if one["type"] == "rejected")
                assert refused["code"] in ("stale_version", "finished")
                await left.until(version + 1)
                await right.until(version + 1)
                assert left.version == right.version == version + 1
            now = fresh(server, match_id)
            versions = [entry["version"] for entry in now["history"]]
            assert versions == list(range(1, now["version"] + 1))


async def test_a_client_that_loses_every_third_message_and_reconnects_ends_up_in_sync(server):
    async def follow_with_losses(match_id, rng):
        """Lose messages and connections until the client shows the end of the match."""
        seen = 0
        while True:
            async with connected(server, match_id) as client:
                for _ in range(rng.randint(2, 8)):
                    if client.board["outcome"] is not None:
                        return without(client.board, "you")
                    await client.send(type="ping", version=client.version)
                    message = json.loads(await asyncio.wait_for(client.socket.recv(), 10))
                    seen += 1
                    if seen % 3:
                        client.take(message)

    for seed in range(3):
        rng = Random(seed)
        match_id, one, two = new_pair(server, "chain-factor", options={"pool": 30})
        async with (
            connected(server, match_id, one) as first,
            connected(server, match_id, two) as second,
        ):
            lossy = asyncio.create_task(follow_with_losses(match_id, rng))
            clients = (first, second)
            while first.board["outcome"] is None:
                mover = clients[first.board["turn"] - 1]
                await mover.played(rng.choice(first.board["legal"]))
                await first.until(mover.version)
                await second.until(mover.version)
            board = await asyncio.wait_for(lossy, 20)
            assert board == without(fresh(server, match_id), "you")


async def test_everyone_sees_a_move_and_a_simultaneous_resignation_in_the_same_order(server):
    for round_ in range(20):
        match_id, one, two = new_pair(server)
        async with (
            connected(server, match_id, one) as first,
            connected(server, match_id, two) as second,
        ):
            await asyncio.gather(first.move(6, client_id="m"), second.send(type="resign", id="r"))
            while first.board["outcome"] is None:
                await first.receive("update")
            while second.board["outcome"] is None:
                await second.receive("update")
            assert without(first.board, "you") == without(second.board, "you")
            assert first.board["outcome"]["code"] == "resign"
            assert first.board["outcome"]["winner"] == 1
            assert first.version in (1, 2), round_
