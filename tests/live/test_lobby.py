"""The lobby lists what people have open, in this process and in others."""

import asyncio
import time

import msgspec
import pytest

from games.live import protocol
from games.live.listing import LIVE_FOR, MOST_LIVE, MOST_OPEN, MOST_OPEN_A_NETWORK, PRESENT_FOR
from games.live.lobby import MOST_TOLD
from games.live.presence import TOLD_FOR
from games.live.process import Process
from games.matches import database, selectors, services
from games.models import Guest, Match
from tests.live.in_process import FakeClient, new_match, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]


async def lists(process):
    return msgspec.json.decode(await process.lobby.build())


async def shown(process, kind):
    return [entry["id"] for entry in (await lists(process))[kind]]


async def invited(process, address, name="Ada"):
    """Create a listed invitation whose maker is there; return the live match and the maker."""

    def create():
        guest = Guest.objects.create(name=name)
        return guest, services.create_match(guest=guest, game="chain-factor", listed=True)[0]

    guest, match = await database.write(create)
    maker = FakeClient(guest, address)
    return await process.hub.enter(match.pk, maker.socket), maker


async def started(process, *addresses):
    """Start a listed match; one player is there for each address."""

    def create():
        match, *guests = new_match()
        Match.objects.filter(pk=match.pk).update(listed=True)
        return match.pk, guests

    match_id, guests = await database.write(create)
    players = [
        FakeClient(guest, address) for guest, address in zip(guests, addresses, strict=False)
    ]
    for player in players:
        await process.hub.enter(match_id, player.socket)
    return match_id, players


async def watched(process, match_id, address):
    spectator = FakeClient(address=address)
    return await process.hub.enter(match_id, spectator.socket), spectator


def pass_time(live, seconds):
    for seat in live.presence.heard:
        live.presence.heard[seat] -= seconds


class Relay:
    """Passes everything on to another process at once, encoded like the real one's messages."""

    is_settled = True

    def __init__(self, other, name="a"):
        self.other, self.name, self.sent = other, name, []

    def tell_listed(self, matches):
        text = msgspec.json.encode(matches)
        self.sent.append(text)
        self.other.elsewhere.hear("listed", self.name, msgspec.json.decode(text))


async def test_an_invitation_is_listed_while_its_maker_is_there():
    process = Process()
    live, maker = await invited(process, "10.0.0.1")
    assert await shown(process, "open") == [live.id]
    # A reload or a weak connection does not take it out of the list.
    process.hub.leave(live, maker.socket)
    pass_time(live, PRESENT_FOR - 1)
    assert await shown(process, "open") == [live.id]
    pass_time(live, 2)
    assert await shown(process, "open") == []
    await process.hub.enter(live.id, maker.socket)
    assert await shown(process, "open") == [live.id]


async def test_a_visitor_does_not_keep_an_invitation_in_the_list():
    process = Process()
    live, maker = await invited(process, "10.0.0.1")
    process.hub.leave(live, maker.socket)
    await watched(process, live.id, "10.0.0.2")
    pass_time(live, PRESENT_FOR + 1)
    assert await shown(process, "open") == []


async def test_the_second_invitation_of_a_guest_replaces_the_first_in_the_list():
    process = Process()
    first, maker = await invited(process, "10.0.0.1")

    def list_another():
        guest = Guest.objects.get(pk=maker.socket.guest_id)
        match, _ = services.create_match(guest=guest, game="chain-factor", listed=True)
        return guest, match.pk, services.unlist_earlier(guest)

    guest, second, unlisted = await database.write(list_another)
    assert unlisted == [first.id]
    await process.hub.refresh(first)
    await process.hub.enter(second, FakeClient(guest, "10.0.0.1").socket)
    assert await shown(process, "open") == [second]

    def join():
        return services.join_match(match_id=first.id, guest=Guest.objects.create(name="Bo"))

    assert await database.write(join) in (1, 2)


async def test_sixty_five_invitations_of_one_network_push_nobody_out():
    process = Process()
    real, _ = await invited(process, "10.0.0.1", "Real")
    for _ in range(65):
        await invited(process, "10.9.9.9", "Attacker")
    names = [entry["name"] for entry in (await lists(process))["open"]]
    assert names.index("Real") == 1
    assert len(names) == MOST_OPEN_A_NETWORK + 1 <= MOST_OPEN
    assert real.id in await shown(process, "open")


async def test_sixty_five_matches_of_one_network_push_no_match_out():
    process = Process()
    real, _ = await started(process, "10.0.0.1", "10.0.0.2")
    for _ in range(65):
        await started(process, "10.9.9.9", "10.9.9.9")
    living = await shown(process, "live")
    assert living.index(real) == 1
    assert len(living) == MOST_LIVE


async def test_a_match_is_listed_while_one_player_is_there_or_somebody_watches():
    process = Process()
    match_id, (one, two) = await started(process, "10.0.0.1", "10.0.0.2")
    live = process.hub.matches[match_id]
    process.hub.leave(live, one.socket)
    live.presence.heard[1] -= PRESENT_FOR
    assert await shown(process, "live") == [match_id]
    process.hub.leave(live, two.socket)
    live.presence.heard[2] -= PRESENT_FOR
    assert await shown(process, "live") == []
    _, spectator = await watched(process, match_id, "10.0.0.3")
    assert await shown(process, "live") == [match_id]
    process.hub.leave(live, spectator.socket)
    assert await shown(process, "live") == []


async def test_an_idle_match_is_no_longer_listed_as_live():
    process = Process()
    match_id, _ = await started(process, "10.0.0.1", "10.0.0.2")
    loaded = process.hub.matches[match_id].loaded
    loaded.turn_seen -= LIVE_FOR
    # The stored time of the last move counts too.
    assert await shown(process, "live") == [match_id]
    loaded.row.started = loaded.row.created.replace(year=2020)
    assert await shown(process, "live") == []


async def test_a_match_against_the_computer_is_listed_with_its_level_if_somebody_else_watches():
    def create():
        guest = Guest.objects.create(name="Ada")
        settings = {"game": "chain-factor", "starts": "me", "listed": True}
        return guest, services.create_match(guest=guest, computer="casual", **settings)[0].pk

    guest, match_id = await database.write(create)
    process = Process()
    await process.hub.enter(match_id, FakeClient(guest, "10.0.0.1").socket)
    await watched(process, match_id, "10.0.0.1")
    assert await shown(process, "live") == []
    await watched(process, match_id, "10.0.0.2")
    assert [entry["players"] for entry in (await lists(process))["live"]] == [
        {"1": {"name": "Ada"}, "2": {"name": "Casual computer", "level": "casual"}}
    ]


async def until(client, expected):
    """Wait for a lobby message with these versions and numbers of spectators."""
    while [
        (entry["version"], entry["spectators"]) for entry in client.messages[-1]["live"]
    ] != expected:
        await client.arrived()


class Subscriber(FakeClient):
    """A client of the lobby that can wait for the next message."""

    async def arrived(self):
        before = len(self.messages)
        async with asyncio.timeout(5):
            while len(self.messages) == before:
                await asyncio.sleep(0.005)


async def test_the_lobby_shows_moves_endings_and_spectators():
    process, lobby = Process(), Subscriber()
    process.lobby.feed.every = 0.02
    match_id, (player, _) = await started(process, "10.0.0.1", "10.0.0.2")
    live = process.hub.matches[match_id]
    await process.lobby.feed.enter(lobby.socket)
    await until(lobby, [(0, 0)])
    process.writer.submit(live, player.socket, protocol.Move(move=6, version=0, id="m"))
    await until(lobby, [(1, 0)])
    await watched(process, match_id, "10.0.0.3")
    await until(lobby, [(1, 1)])
    process.writer.submit(live, player.socket, protocol.Resign(id="r"))
    await until(lobby, [])
    await process.stop()


async def test_the_lobby_notices_that_a_maker_is_gone_although_nothing_happens():
    process, lobby = Process(), Subscriber()
    process.lobby.feed.every = 0.02
    live, _ = await invited(process, "10.0.0.1")
    await process.lobby.feed.enter(lobby.socket)
    assert [entry["id"] for entry in lobby.messages[-1]["open"]] == [live.id]
    await process.lobby.look()
    pass_time(live, PRESENT_FOR)
    await process.lobby.look()
    while lobby.messages[-1]["open"]:
        await lobby.arrived()
    await process.stop()


async def test_matches_of_another_process_are_listed_and_read_from_the_database(monkeypatch):
    here, there = Process(), Process()
    there.hub.relay = Relay(here)
    own, _ = await started(here, "10.0.0.1", "10.0.0.2")
    other, (player, _) = await started(there, "10.0.0.3", "10.0.0.4")
    waiting, _ = await invited(there, "10.0.0.5")
    there.hub.relay.tell_actions = lambda match_id, actions: None
    move = protocol.Move(move=6, version=0, id="m")
    there.writer.submit(there.hub.matches[other], player.socket, move)
    await settled(there.writer, player)
    read = []

    def stored_matches(match_ids, original=selectors.stored_matches):
        read.append(set(match_ids))
        return original(match_ids)

    monkeypatch.setattr(selectors, "stored_matches", stored_matches)
    assert await shown(here, "live") == [own]
    assert read == []
    await there.lobby.look()
    found = await lists(here)
    assert [(entry["id"], entry["version"]) for entry in found["live"]] == [(other, 1), (own, 0)]
    assert [entry["id"] for entry in found["open"]] == [waiting.id]
    assert read == [{other, waiting.id}]
    # It is cancelled, but the other process has not said so yet.
    await database.write(Match.objects.filter(pk=waiting.id).update, status="cancelled")
    assert await shown(here, "open") == []


async def test_a_spectator_of_another_process_makes_a_match_against_the_computer_visible():
    def create():
        guest = Guest.objects.create(name="Ada")
        settings = {"game": "chain-factor", "starts": "me", "listed": True}
        return guest, services.create_match(guest=guest, computer="casual", **settings)[0].pk

    guest, match_id = await database.write(create)
    here, there = Process(), Process()
    there.hub.relay = Relay(here)
    await there.hub.enter(match_id, FakeClient(guest, "10.0.0.1").socket)
    await there.lobby.look()
    assert await shown(here, "live") == []
    await watched(here, match_id, "10.0.0.1")
    assert await shown(here, "live") == []
    await watched(here, match_id, "10.0.0.2")
    assert await shown(here, "live") == [match_id]


async def test_a_process_tells_no_addresses_and_a_limited_number_of_matches(monkeypatch):
    monkeypatch.setattr("games.live.lobby.MOST_TOLD", 3)
    here, there = Process(), Process()
    there.hub.relay = relay = Relay(here)
    real, _ = await invited(there, "10.0.0.1")
    for _ in range(5):
        await invited(there, "10.9.9.9")
        await started(there, "10.9.9.9")
    await there.lobby.look()
    told = msgspec.json.decode(relay.sent[-1])
    assert len(told) == 3 + 3 < MOST_TOLD
    assert real.id in {one[0] for one in told}
    assert not any(address in relay.sent[-1] for address in (b"10.0.0.1", b"10.9.9.9"))


async def test_matches_of_a_process_that_is_gone_leave_the_lists(monkeypatch):
    here, there = Process(), Process()
    there.hub.relay = Relay(here)
    waiting, _ = await invited(there, "10.0.0.5")
    await there.lobby.look()
    assert await shown(here, "open") == [waiting.id]
    right = time.monotonic
    monkeypatch.setattr("games.live.lobby.time.monotonic", lambda: right() + TOLD_FOR)
    assert await shown(here, "open") == []
    # Its last message isn't kept either.
    here.lobby.take("c", [])
    assert list(here.lobby._told) == ["c"]
