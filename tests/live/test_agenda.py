"""Guests hear on their sockets how their matches stand, and nobody hears of anybody else's."""

import asyncio
import json

import pytest
import websockets

from games.live import protocol
from games.live.process import Process
from games.matches import database, services
from tests.live.client import (
    call,
    connected,
    get,
    join,
    new_guest,
    new_match,
    new_pair,
    post,
)
from tests.live.in_process import FakeClient, settled
from tests.live.in_process import new_match as stored_match


@pytest.fixture
async def process():
    process = Process()
    yield process
    await process.tasks.stop()


async def quiet(process):
    await settled(process.writer)
    await process.tasks.finished()


async def follow(process, guest):
    client = FakeClient(guest)
    await process.agenda.enter(client.socket)
    await client.socket.sent()
    return client


async def open_match(process, match_id, guest):
    """Open a match's page."""
    client = FakeClient(guest)
    live = await process.hub.enter(match_id, client.socket)
    process.agenda.attend(client.socket, match_id)
    await process.tasks.finished()
    return client, live


def told(client):
    """What a socket was told about matches, the newest last: id, status, count."""
    return [
        (message["id"], message["status"], message["your_turn"])
        for message in client.of_type("match")
    ]


def counts(client):
    return [message["your_turn"] for message in client.of_type("me")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
class TestInProcess:
    async def test_the_first_message_has_every_match_that_goes_on(self, process):
        match, one, two = await database.write(stored_match)
        (first,) = (await follow(process, one)).messages
        assert first["type"] == "me"
        assert first["your_turn"] == 1
        assert [(each["id"], each["status"]) for each in first["matches"]] == [
            (match.pk, "your-turn")
        ]
        (other,) = (await follow(process, two)).messages
        assert (other["your_turn"], other["matches"][0]["status"]) == (0, "waiting")
        assert other["matches"][0]["opponent"] == {"name": "Ada"}

    async def test_every_move_is_told_to_both(self, process):
        match, one, two = await database.write(stored_match)
        clients = [await follow(process, guest) for guest in (one, two)]
        player, live = await open_match(process, match.pk, one)
        process.writer.submit(live, player.socket, protocol.Move(move=6, version=0, id="a"))
        await quiet(process)
        assert [told(client)[-1] for client in clients] == [
            (match.pk, "waiting", 0),
            (match.pk, "your-turn", 1),
        ]
        process.writer.submit(live, player.socket, protocol.Resign(id="b"))
        await quiet(process)
        assert [told(client)[-1] for client in clients] == [(match.pk, "finished", 0)] * 2
        outcome = clients[0].of_type("match")[-1]["outcome"]
        assert (outcome["winner"], outcome["code"]) == (2, "resign")

    async def test_a_page_of_a_match_hears_only_how_many_others_wait(self, process):
        match, one, _two = await database.write(stored_match)
        other, _ = await database.write(
            services.create_match, guest=one, game="chain-factor", starts="me", same_device=True
        )
        page, live = await open_match(process, match.pk, one)
        assert counts(page) == [1]
        # A move in the match itself changes nothing for its own page.
        process.writer.submit(live, page.socket, protocol.Move(move=6, version=0, id="a"))
        await quiet(process)
        assert counts(page) == [1]
        elsewhere, there = await open_match(process, other.pk, one)
        # In this match it's the other player's turn now, although nobody had to be told.
        assert counts(elsewhere) == []
        process.writer.submit(there, elsewhere.socket, protocol.Resign(id="b"))
        await quiet(process)
        assert counts(page) == [1, 0]

    async def test_a_match_that_is_created_or_joined_elsewhere_is_told(self, process):
        one, two = services.new_guest(), services.new_guest()
        client = await follow(process, one)
        match, _ = await database.write(
            services.create_match, guest=one, game="chain-factor", starts="me"
        )
        process.elsewhere.hear("changed", "b", match.pk)
        process.elsewhere.hear("concern", "b", (match.pk, [one.pk]))
        await quiet(process)
        assert told(client) == [(match.pk, "open", 0)]
        await database.write(services.join_match, match_id=match.pk, guest=two)
        process.elsewhere.hear("changed", "b", match.pk)
        await quiet(process)
        assert told(client)[-1] == (match.pk, "your-turn", 1)

    async def test_a_rematch_is_told(self, process):
        match, one, two = await database.write(stored_match)
        client = await follow(process, one)
        (mine, live), (theirs, _) = [
            await open_match(process, match.pk, guest) for guest in (one, two)
        ]
        process.writer.submit(live, mine.socket, protocol.Resign(id="a"))
        await quiet(process)
        process.writer.submit(live, theirs.socket, protocol.Rematch(id="b"))
        await quiet(process)
        assert client.of_type("match")[-1]["rematch"] == {
            "offered_by": 2,
            "game": "number-tower-duel",
            "next": None,
        }
        process.writer.submit(live, mine.socket, protocol.Rematch(id="c"))
        await quiet(process)
        following = client.of_type("match")[-1]
        assert following["id"] == client.of_type("match")[-2]["rematch"]["next"]
        assert (following["status"], following["you"]) == ("waiting", [2])

    async def test_lost_messages_are_made_up_for(self, process):
        _match, one, _two = await database.write(stored_match)
        client = await follow(process, one)
        process.hub.relay = object()
        await database.write(services.create_match, guest=one, game="chain-factor", starts="me")
        await process.agenda.compare()
        await process.tasks.finished()
        process.hub.relay = None
        assert [status for _, status, _ in told(client)] == ["open"]

    async def test_nothing_is_kept_about_guests_who_left(self, process):
        match, one, two = await database.write(stored_match)
        clients = [await follow(process, guest) for guest in (one, two, one)]
        page, _ = await open_match(process, match.pk, two)
        for client in (*clients, page):
            process.agenda.leave(client.socket)
            process.agenda.leave(client.socket)
        assert process.agenda._guests == {}
        assert process.agenda._matches == {}

    async def test_a_change_while_the_matches_are_read_is_not_missed(self, process):
        match, one, two = await database.write(stored_match)
        _player, live = await open_match(process, match.pk, two)
        entering = asyncio.ensure_future(follow(process, one))
        await asyncio.sleep(0)
        mover, _ = await open_match(process, match.pk, one)
        process.writer.submit(live, mover.socket, protocol.Move(move=6, version=0, id="a"))
        client = await entering
        await quiet(process)
        last = client.messages[-1]
        statuses = last["matches"][0]["status"] if last["type"] == "me" else last["status"]
        assert statuses == "waiting"
        assert last["your_turn"] == 0


def url(server):
    return f"{server.ws}/ws/me/"


def as_guest(token):
    return {"additional_headers": {"Authorization": f"Bearer {token}"}}


async def next_message(socket, kind):
    async with asyncio.timeout(10):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == kind:
                return message


async def test_a_program_follows_all_its_matches(server):
    token, friend = new_guest(server), new_guest(server)
    async with websockets.connect(url(server), **as_guest(token)) as socket:
        assert await next_message(socket, "me") == {"type": "me", "your_turn": 0, "matches": []}
        match_id = new_match(server, token)
        assert (await next_message(socket, "match"))["status"] == "open"
        join(server, match_id, friend)
        begun = await next_message(socket, "match")
        assert (begun["id"], begun["status"], begun["your_turn"]) == (match_id, "your-turn", 1)
        async with connected(server, match_id, token) as player:
            await player.move(6)
        assert (await next_message(socket, "match"))["status"] == "waiting"
        async with connected(server, match_id, friend) as player:
            await player.send(type="resign", id="r")
        over = await next_message(socket, "match")
        assert (over["status"], over["outcome"]["winner"]) == ("finished", 1)


async def test_without_a_guest_there_is_nothing_to_follow(server):
    async with websockets.connect(url(server)) as socket:
        assert (await next_message(socket, "error"))["code"] == "no_identity"
        await socket.wait_closed()
        assert socket.close_code == 4401


def test_lists_have_pages_and_filters(server):
    match_id, one, two = new_pair(server)
    status, found = get(server, "/api/me/matches/", one)
    assert (status, found["next"]) == (200, None)
    (entry,) = found["matches"]
    assert entry["url"] == f"{server.http}/m/{match_id}/"
    assert (entry["you"], entry["turn"], entry["outcome"]) == ([1], 1, None)
    for wanted, who in (("your-turn", one), ("waiting", two)):
        assert len(get(server, f"/api/me/matches/?status={wanted}", who)[1]["matches"]) == 1
        assert get(server, f"/api/me/matches/?status={wanted}", new_guest(server))[1] == {
            "matches": [],
            "next": None,
        }
    for _ in range(25):
        new_match(server, one)
    first = get(server, "/api/me/matches/?status=open", one)[1]
    second = call(server, "GET", first["next"].removeprefix(server.http), token=one)[1]
    assert (len(first["matches"]), len(second["matches"]), second["next"]) == (20, 5, None)
    ids = {entry["id"] for entry in (*first["matches"], *second["matches"])}
    assert len(ids) == 25


@pytest.mark.parametrize("query", ["status=nonsense", "status=finished&before=zzzzzzzz"])
def test_a_list_that_does_not_exist_is_refused(server, query):
    status, answer = get(server, f"/api/me/matches/?{query}", new_guest(server))
    assert (status, answer["code"]) == (400, "bad_query")


@pytest.mark.parametrize(("token", "code"), [(None, "no_identity"), ("x.y.z", "bad_token")])
def test_without_a_guest_there_is_no_list(server, token, code):
    status, answer = get(server, "/api/me/matches/", token)
    assert (status, answer["code"]) == (401, code)


def test_a_rematch_can_be_offered_in_another_game_and_withdrawn(server):
    match_id, one, two = new_pair(server)
    address = f"/api/matches/{match_id}/rematch/"
    assert post(server, address, {}, one)[1]["code"] == "not_finished"

    async def resign():
        async with connected(server, match_id, one) as player:
            await player.send(type="resign", id="r")
            await player.receive("update")

    asyncio.run(resign())
    offered = post(server, address, {"game": "chain-factor"}, one)
    assert offered == (200, {"offered_by": 1, "game": "chain-factor", "next": None})
    withdrawn = {"offered_by": None, "game": None, "next": None}
    assert post(server, address, {"withdraw": True}, one) == (200, withdrawn)
    post(server, address, {"game": "chain-factor"}, one)
    # Another game is an offer of one's own, and no game accepts the one that is offered.
    counter = post(server, address, {"game": "number-collapse"}, two)[1]
    assert (counter["offered_by"], counter["game"]) == (2, "number-collapse")
    agreed = post(server, address, {}, one)[1]
    following = get(server, f"/api/matches/{agreed['next']}/", one)[1]
    assert (following["game"], following["you"]) == ("number-collapse", [2])
    assert following["series"]["number"] == 2
    # Strangers can't, and there is no such game.
    assert post(server, address, {}, new_guest(server))[0] == 404
    assert post(server, address, {"game": "chess"}, one)[1]["code"] == "unknown_game"
