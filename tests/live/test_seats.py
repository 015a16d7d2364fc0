"""Creating, joining, cancelling, rematches."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.live.client import (
    connected,
    fresh,
    get,
    join,
    new_guest,
    new_match,
    new_pair,
    post,
)


def test_if_two_guests_race_for_the_last_seat_one_of_them_gets_it(server):
    """Run 200 rounds. The other guest may watch."""
    creator, rivals = new_guest(server), [new_guest(server), new_guest(server)]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(200):
            match_id = new_match(server, creator)
            answers = list(pool.map(join, [server] * 2, [match_id] * 2, rivals))
            assert sorted(status for status, _ in answers) == [200, 409]
            refused = next(data for status, data in answers if status == 409)
            assert refused["code"] == "full"
            loser = rivals[[status for status, _ in answers].index(409)]
            assert fresh(server, match_id, loser)["you"] == []


@pytest.mark.parametrize(("starts", "seats"), [("me", {1}), ("friend", {2}), ("lot", {1, 2})])
def test_the_starts_setting_decides_the_creators_seat(server, starts, seats):
    token = new_guest(server)
    got = set()
    for _ in range(20):
        answer = post(server, "/api/matches/", {"game": "chain-factor", "starts": starts}, token)[1]
        got.add(answer["seat"])
        assert answer["url"] == f"{server.http}/m/{answer['id']}/"
    assert got == seats


def test_opening_your_own_link_does_not_take_the_second_seat(server):
    token = new_guest(server)
    match_id = new_match(server, token)
    assert join(server, match_id, token) == (200, {"seat": 1})
    assert fresh(server, match_id)["players"]["2"] is None


def test_joining_again_keeps_your_seat(server):
    match_id, _one, two = new_pair(server)
    assert join(server, match_id, two) == (200, {"seat": 2})


def test_ids_are_case_insensitive_and_have_no_lookalike_characters(server):
    match_id, one, _two = new_pair(server)
    assert get(server, f"/api/matches/{match_id.upper()}/", one)[1]["you"] == [1]
    assert len(match_id) == 8
    assert not set(match_id) & set("01ilo")


async def test_everyone_is_told_at_once_when_the_friend_joins(server):
    one, two = new_guest(server), new_guest(server)
    match_id = new_match(server, one)
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
    ):
        assert second.board["you"] == []
        assert (await first.played(6))["code"] == "not_started"
        assert (await second.played(6))["code"] == "spectator"
        join(server, match_id, two)
        for client in (first, second):
            while client.board["players"]["2"] is None:
                await client.receive("snapshot")
        # The friend watched before joining, and plays on the same socket.
        assert second.board["you"] == [2]
        assert first.board["status"] == "live"
        assert (await first.played(6))["type"] == "update"
        await second.until(1)
        assert (await second.played(3))["type"] == "update"


async def test_a_cancelled_invitation_cannot_be_joined(server):
    one, two = new_guest(server), new_guest(server)
    match_id = new_match(server, one)
    async with connected(server, match_id) as watching:
        assert post(server, f"/api/matches/{match_id}/cancel/", {}, two)[0] == 404
        assert post(server, f"/api/matches/{match_id}/cancel/", {}, one) == (200, {})
        assert (await watching.receive("snapshot"))["status"] == "cancelled"
    assert join(server, match_id, two)[1]["code"] == "closed"
    begun, one, _ = new_pair(server)
    assert post(server, f"/api/matches/{begun}/cancel/", {}, one)[0] == 409


async def test_on_one_device_the_creator_plays_both_seats(server):
    token = new_guest(server)
    match_id = new_match(server, token, same_device=True)
    async with connected(server, match_id, token) as tablet:
        assert tablet.board["you"] == [1, 2]
        for move in (5, 1, 7):
            assert (await tablet.played(move))["type"] == "update"
        assert tablet.board["outcome"]["winner"] == 1
        assert tablet.board["series"] == {"number": 1, "score": {"1": 1, "2": 0}}
        await tablet.send(type="rematch", id="again")
        following = (await tablet.receive("rematch"))["next"]
    async with connected(server, following, token) as tablet:
        # The seats have swapped, and so has the score.
        assert tablet.board["series"] == {"number": 2, "score": {"1": 0, "2": 1}}
        assert tablet.board["you"] == [1, 2]


async def finished_match(first, second):
    await first.played(5)
    await second.until(1)
    await second.played(1)
    await first.until(2)
    await first.played(7)
    await second.until(3)


async def test_an_accepted_rematch_swaps_seats_and_counts_the_score(server):
    match_id, one, two = new_pair(server)
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
        connected(server, match_id) as spectator,
    ):
        await first.send(type="rematch", id="early")
        assert (await first.receive("rejected"))["code"] == "not_finished"
        await spectator.send(type="rematch", id="mine")
        assert (await spectator.receive("rejected"))["code"] == "spectator"
        await finished_match(first, second)
        await first.send(type="rematch", id="offer")
        for client in (first, second, spectator):
            offer = await client.receive("rematch")
            game = "number-tower-duel"
            assert offer == {"type": "rematch", "offered_by": 1, "game": game, "next": None}
        await first.send(type="rematch", id="offer again")
        assert (await first.receive("rematch"))["next"] is None
        await second.send(type="rematch", id="accept")
        following = (await second.receive("rematch"))["next"] or (await second.receive("rematch"))[
            "next"
        ]
        for client in (first, spectator):
            while client.board["rematch"]["next"] != following:
                await client.receive("rematch")
    snapshot = fresh(server, following, one)
    assert snapshot["you"] == [2]
    assert snapshot["series"] == {"number": 2, "score": {"1": 0, "2": 1}}
    assert fresh(server, match_id)["rematch"]["next"] == following


async def test_two_simultaneous_offers_create_one_match(server):
    for _ in range(20):
        match_id, one, two = new_pair(server)
        async with (
            connected(server, match_id, one) as first,
            connected(server, match_id, two) as second,
        ):
            await finished_match(first, second)
            await asyncio.gather(
                first.send(type="rematch", id="a"), second.send(type="rematch", id="b")
            )
            following = set()
            for client in (first, second):
                while client.board["rematch"]["next"] is None:
                    await client.receive("rematch")
                following.add(client.board["rematch"]["next"])
            assert len(following) == 1
