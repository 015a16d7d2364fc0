"""Devices, merging and leaving while matches are being played on a real server."""

import asyncio

import pytest
from websockets.exceptions import ConnectionClosed

from tests.live.client import connected, fresh, get, join, new_guest, new_match, new_pair, post


def link_of(server, token):
    """Return the secret of a new link to this guest."""
    status, made = post(server, "/api/me/device-links/", token=token)
    assert status == 201, made
    return made["url"].partition("#")[2]


def arrive(server, secret, token=None, **choice):
    return post(server, "/api/me/arrive/", {"secret": secret, **choice}, token)


async def closed(client):
    """Wait until the server closes a socket; return its last message and the close code."""
    code = (await client.receive("error"))["code"]
    with pytest.raises(ConnectionClosed) as error:
        await client.receive("error")
    return code, error.value.rcvd.code


async def test_both_devices_of_a_player_can_move(server):
    match_id, one, two = new_pair(server)
    phone = arrive(server, link_of(server, one))[1]["token"]
    async with (
        connected(server, match_id, one) as laptop,
        connected(server, match_id, phone) as mobile,
        connected(server, match_id, two) as friend,
    ):
        assert mobile.board["you"] == laptop.board["you"] == [1]
        assert (await mobile.played(6))["type"] == "update"
        await friend.until(1)
        await friend.played(3)
        await laptop.until(2)
        assert (await laptop.played(9, client_id="laptop"))["version"] == 3


async def test_a_device_that_is_signed_out_is_out_although_its_socket_is_open(server):
    match_id, one, two = new_pair(server)
    phone = arrive(server, link_of(server, one))[1]["token"]
    async with (
        connected(server, match_id, one) as laptop,
        connected(server, match_id, phone) as mobile,
        connected(server, match_id, two),
    ):
        assert post(server, "/api/me/devices/sign-out/", {"device": 1}, one)[0] == 200
        assert await closed(mobile) == ("bad_token", 4401)
        async with connected(server, match_id, phone) as stranger:
            assert stranger.board["you"] == []
            assert (await stranger.played(6))["code"] == "spectator"
        assert (await laptop.played(6))["type"] == "update"
    assert fresh(server, match_id, phone)["you"] == []
    assert get(server, "/api/me/devices/", phone)[1]["code"] == "bad_token"


async def test_merging_during_a_match_lets_the_player_go_on(server):
    match_id, one, two = new_pair(server)
    other = new_guest(server)
    new_match(server, other)
    async with connected(server, match_id, two) as friend:
        async with connected(server, match_id, one) as before:
            await before.played(6)
            status, asked = arrive(server, secret := link_of(server, other), one)
            assert (status, asked["code"]) == (409, "has_guest")
            status, arrived = arrive(server, secret, one, merge=True)
            assert (status, arrived["merged"]) == (200, True)
            assert await closed(before) == ("bad_token", 4401)
        async with connected(server, match_id, arrived["token"]) as player:
            assert player.board["you"] == [1]
            await friend.until(1)
            await friend.played(3)
            await player.until(2)
            # The player's first socket used other ids.
            assert (await player.played(9, client_id="again"))["version"] == 3
            await friend.until(3)
    assert fresh(server, match_id, other)["you"] == [1]


async def test_merging_with_ones_own_opponent_leaves_one_player_for_both_seats(server):
    match_id, one, two = new_pair(server)
    arrived = arrive(server, link_of(server, two), one, merge=True)[1]
    async with connected(server, match_id, arrived["token"]) as both:
        assert both.board["you"] == [1, 2]
        assert (await both.played(6))["seat"] == 1
        assert (await both.played(3))["seat"] == 2


async def test_forgetting_a_guest_during_a_match_lets_the_opponent_finish(server):
    match_id, one, two = new_pair(server)
    open_id = new_match(server, one)
    async with (
        connected(server, match_id, one) as leaver,
        connected(server, match_id, two) as friend,
    ):
        await leaver.played(6)
        await friend.until(1)
        assert post(server, "/api/me/forget/", {"confirm": True}, one) == (200, {})
        assert await closed(leaver) == ("bad_token", 4401)
        async with asyncio.timeout(10):
            while friend.board["outcome"] is None or "former" not in friend.board["players"]["1"]:
                await friend.receive("snapshot")
        assert friend.board["outcome"]["winner"] == 2
        await friend.send(type="rematch", id="again")
        assert (await friend.receive("rejected"))["code"] == "no_opponent"
        # The match can be reviewed like any other.
        status, review = get(server, f"/api/matches/{match_id}/review/", two)
        assert (status, len(review["marks"])) == (200, 1)
    assert fresh(server, match_id, two)["you"] == [2]
    assert fresh(server, open_id)["status"] == "cancelled"
    assert join(server, open_id, two)[1]["code"] == "closed"
    assert post(server, "/api/matches/", {"game": "chain-factor"}, one)[1]["code"] == "bad_token"


def test_a_download_is_one_json_object(server):
    match_id, one, _ = new_pair(server)
    status, found = get(server, "/api/me/data/", one)
    assert status == 200
    assert [match["id"] for match in found["matches"]] == [match_id]
    assert found["devices"] == []
    link_of(server, one)
    found = get(server, "/api/me/data/", one)[1]
    assert [device["label"] for device in found["devices"]] == ["A program"]
