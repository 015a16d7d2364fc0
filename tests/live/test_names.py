"""A new name reaches every page on which the guest is shown."""

import asyncio

import pytest

from games.guests import profile
from games.live.process import Process
from games.matches import database
from tests.live.client import call, connected, fresh, get, new_guest, new_match, new_pair
from tests.live.in_process import FakeClient
from tests.live.in_process import new_match as stored_match

IN_PROCESS = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


def rename(guest, name):
    return database.write(profile.change_name, guest=guest, name=name)


async def names_shown_to(client):
    await client.socket.sent()
    players = client.of_type("snapshot")[-1]["players"]
    return [players[seat]["name"] for seat in ("1", "2")]


class TestInProcess:
    pytestmark = IN_PROCESS

    async def test_players_and_spectators_see_a_new_name_although_no_move_was_made(self):
        match, one, two = await database.write(stored_match)
        process, clients = Process(), [FakeClient(one), FakeClient(two), FakeClient()]
        for client in clients:
            live = await process.hub.enter(match.pk, client.socket)
        before = live.loaded.fingerprint
        await rename(two, "Bob")
        await process.hub.show_guest(two.pk)
        while live.is_telling:
            await asyncio.sleep(0)
        assert [await names_shown_to(client) for client in clients] == [["Ada", "Bob"]] * 3
        assert live.loaded.fingerprint == before

    async def test_other_matches_are_not_loaded_again(self):
        match, *_ = await database.write(stored_match)
        _, _, renamed = await database.write(stored_match)
        process, client = Process(), FakeClient()
        live = await process.hub.enter(match.pk, client.socket)
        before = live.loaded
        await process.hub.show_guest(renamed.pk)
        assert live.loaded is before
        await client.socket.sent()
        assert len(client.of_type("snapshot")) == 1

    async def test_a_match_that_is_being_loaded_shows_the_new_name(self):
        match, one, two = await database.write(stored_match)
        process, client = Process(), FakeClient(one)
        entering = asyncio.create_task(process.hub.enter(match.pk, client.socket))
        while process.hub.live_match(match.pk).loading is None:
            await asyncio.sleep(0)
        await rename(two, "Bob")
        await process.hub.show_guest(two.pk)
        await entering
        assert await names_shown_to(client) == ["Ada", "Bob"]

    async def test_a_process_hears_of_a_name_that_was_changed_elsewhere(self):
        match, one, two = await database.write(stored_match)
        process, client = Process(), FakeClient(one)
        process.tasks.start()
        await process.hub.enter(match.pk, client.socket)
        await rename(two, "Bob")
        process.elsewhere.hear("guest", "b", two.pk)
        async with asyncio.timeout(5):
            while await names_shown_to(client) != ["Ada", "Bob"]:
                await asyncio.sleep(0.01)
        await process.tasks.stop()


async def test_a_rename_is_seen_live_in_all_matches_of_the_guest(server):
    first, one, two = new_pair(server)
    second = new_match(server, two)
    generated = get(server, "/api/me/", two)[1]["name"]
    async with (
        connected(server, first, one) as opponent,
        connected(server, first) as spectator,
        connected(server, second, two) as inviter,
    ):
        assert opponent.board["players"]["2"]["name"] == generated
        status, answer = await asyncio.to_thread(
            call, server, "PATCH", "/api/me/", {"name": "Bo 👩🏽\u200d🚀"}, two
        )
        assert (status, answer) == (
            200,
            {"name": "Bo 👩🏽\u200d🚀", "generated": generated, "record": {}},
        )
        for client, seat in ((opponent, "2"), (spectator, "2"), (inviter, "1")):
            snapshot = await client.receive("snapshot")
            assert snapshot["players"][seat]["name"] == "Bo 👩🏽\u200d🚀"
    third = new_match(server, two, starts="friend")
    assert fresh(server, third)["players"]["2"]["name"] == "Bo 👩🏽\u200d🚀"


def test_a_name_is_kept_by_the_api_and_refused_with_a_sentence(server):
    token = new_guest(server)
    assert get(server, "/api/me/")[1]["code"] == "no_identity"
    assert call(server, "PATCH", "/api/me/", {"name": "Ada"}, token)[1]["name"] == "Ada"
    status, answer = call(server, "PATCH", "/api/me/", {"name": "The Computer"}, token)
    assert (status, answer["code"]) == (400, "bad_name")
    assert get(server, "/api/me/", token)[1]["name"] == "Ada"
    assert call(server, "PUT", "/api/me/", {"name": "Ada"}, token)[1]["code"] == "bad_method"
