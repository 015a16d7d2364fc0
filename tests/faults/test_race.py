"""Two actions for the same version at once, in one process and in two: only one counts."""

import asyncio
from random import Random

import pytest

from tests.faults.truth import Database
from tests.live.client import connected, new_guest, new_match, new_pair


@pytest.fixture(params=["one process on SQLite", "two processes on PostgreSQL"])
def sides(request):
    """The server of each player, and their database."""
    if request.param == "one process on SQLite":
        server = request.getfixturevalue("alone")
        return server, server, Database(str(server.data / "numgames.sqlite3"))
    return *request.getfixturevalue("pair"), request.getfixturevalue("database")


async def answer_to(client, client_id):
    while True:
        answer = await client.receive("update", "rejected")
        if answer["id"] == client_id:
            return answer


@pytest.mark.parametrize("rounds", [100, pytest.param(500, marks=pytest.mark.faults_long)])
async def test_exactly_one_of_two_moves_for_the_same_version_counts(sides, measured, rounds):
    """One guest has both seats, so that both sockets can move at every version."""
    left_side, right_side, database = sides

    token, rng, wins = new_guest(left_side), Random(3), [0, 0]
    while sum(wins) < rounds:
        match_id = new_match(
            left_side, token, "chain-factor", same_device=True, options={"pool": 100}
        )
        async with (
            connected(left_side, match_id, token) as left,
            connected(right_side, match_id, token) as right,
        ):
            while left.board["outcome"] is None and sum(wins) < rounds:
                version, moves = left.version, left.board["legal"]
                await asyncio.gather(
                    left.move(rng.choice(moves), version, f"l{version}"),
                    right.move(rng.choice(moves), version, f"r{version}"),
                )
                answers = await asyncio.gather(
                    answer_to(left, f"l{version}"), answer_to(right, f"r{version}")
                )
                assert sorted(one["type"] for one in answers) == ["rejected", "update"]
                lost = next(one for one in answers if one["type"] == "rejected")
                assert lost["code"] in ("stale_version", "finished")
                wins[answers.index(lost) ^ 1] += 1
                await asyncio.gather(left.until(version + 1), right.until(version + 1))
                assert left.board["history"] == right.board["history"]
        assert database.records()[match_id].board()["version"] == left.version
    measured["moves won by left, right"] = wins


@pytest.mark.parametrize("rounds", [10, pytest.param(100, marks=pytest.mark.faults_long)])
async def test_a_move_and_a_simultaneous_resignation_have_the_same_order_for_both(sides, rounds):
    left_side, right_side, database = sides

    for _ in range(rounds):
        match_id, one, two = new_pair(left_side)
        async with (
            connected(left_side, match_id, one) as left,
            connected(right_side, match_id, two) as right,
        ):
            await asyncio.gather(left.move(6, 0, "moves"), right.send(type="resign", id="resigns"))
            moved, resigned = await asyncio.gather(
                answer_to(left, "moves"), answer_to(right, "resigns")
            )
            board = database.records()[match_id].board()
            moves = [entry[2] for entry in board["history"]]
            if moved["type"] == "rejected":
                assert moves == [None]
            elif resigned["type"] == "rejected":
                assert resigned["code"] == "stale_version"
                assert moves == [6]
            else:
                assert moves == [6, None]
            await asyncio.gather(left.until(len(moves)), right.until(len(moves)))
            assert left.board["history"] == right.board["history"]
