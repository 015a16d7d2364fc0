"""One network fills the lobby: everybody else's invitations and matches stay visible in it."""

import asyncio
import json
from contextlib import AsyncExitStack

import pytest
import websockets

from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import call, post
from tests.serving import serving

ATTACKER, MAKER, ONE, TWO, VISITOR = (f"203.0.113.{number}" for number in range(1, 6))
MANY = 65
# The players share the attacked core.
UNHURT = 0.25
# How many places of a list one network can get at most.
MOST = {"open": 30, "live": 12}


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory):
    """A server that sees the networks we choose. Without rate limits the attack is at its worst."""
    data = tmp_path_factory.mktemp("lobby")
    with serving(data, NUMGAMES_PROXY="1", NUMGAMES_LIMITS="off") as server:
        yield server


class Network:
    """Everything that comes from one address."""

    def __init__(self, server, address):
        self.server, self.address = server, address
        self.headers = {"X-Forwarded-For": address}

    async def post(self, path, data=None, token=None):
        answer = await asyncio.to_thread(post, self.server, path, data, token, headers=self.headers)
        assert answer[0] in (200, 201), answer
        return answer[1]

    async def new_guest(self):
        return (await self.post("/api/guests/"))["token"]

    async def new_match(self, token, **settings):
        settings = {"game": "chain-factor", "starts": "me", "listed": True, **settings}
        return (await self.post("/api/matches/", settings, token))["id"]

    async def join(self, match_id, token):
        await self.post(f"/api/matches/{match_id}/join/", {}, token)

    def player(self, match_id, token=None):
        return Player(lambda: self.server.ws, match_id, token, network=self.address)

    def lobby(self):
        return websockets.connect(
            f"{self.server.ws}/ws/lobby/", additional_headers=self.headers, proxy=None
        )

    async def lists(self):
        path = "/api/matches/?open=1&live=1"
        return (await asyncio.to_thread(call, self.server, "GET", path, headers=self.headers))[1]


async def invitation(network, present):
    """Create a listed invitation, and keep its maker there."""
    token = await network.new_guest()
    match_id = await network.new_match(token)
    await present.enter_async_context(joined(network.player(match_id, token)))
    return match_id


async def match_with_itself(network, present):
    one, two = await network.new_guest(), await network.new_guest()
    match_id = await network.new_match(one)
    await network.join(match_id, two)
    await present.enter_async_context(joined(network.player(match_id, one)))
    return match_id


async def match_with_the_computer(network, present):
    token = await network.new_guest()
    match_id = await network.new_match(token, computer="casual")
    await present.enter_async_context(joined(network.player(match_id, token)))
    await present.enter_async_context(joined(network.player(match_id)))
    return match_id


async def attack(network, create, present, count):
    """Create matches as fast as eight connections can, then fill the lobby with sockets too."""
    made, todo = [], iter(range(count))

    async def work():
        for _ in todo:
            made.append(await create(network, present))

    await asyncio.gather(*(work() for _ in range(8)))
    await asyncio.gather(*(present.enter_async_context(network.lobby()) for _ in range(count)))
    # Give the lists the time to change twice.
    await asyncio.sleep(2.5)
    return made


class Visitor:
    """Somebody who looks at the lobby, and every list they were shown."""

    def __init__(self, socket):
        self.socket, self.shown, self.news = socket, [], asyncio.Event()

    async def look(self):
        """Remember what is shown, until the socket is closed."""
        async for text in self.socket:
            message = json.loads(text)
            self.shown.append(
                {kind: [entry["id"] for entry in message[kind]] for kind in ("open", "live")}
            )
            self.news.set()

    async def sees(self, open_id, live_id):
        """Wait until both are shown; forget what was shown before."""
        async with asyncio.timeout(10):
            while not (
                self.shown
                and open_id in self.shown[-1]["open"]
                and live_id in self.shown[-1]["live"]
            ):
                self.news.clear()
                await self.news.wait()
        del self.shown[:-1]


FLOODS = {
    "invitations": (invitation, "open"),
    "matches": (match_with_itself, "live"),
    "matches against the computer": (match_with_the_computer, "live"),
}


@pytest.mark.parametrize(("create", "kind"), FLOODS.values(), ids=FLOODS)
async def test_what_others_have_open_stays_in_the_lobby(behind_a_proxy, measured, create, kind):
    attacker, maker, one, two, visitor = (
        Network(behind_a_proxy, address) for address in (ATTACKER, MAKER, ONE, TWO, VISITOR)
    )
    async with AsyncExitStack() as present:
        real = await invitation(maker, present)
        tokens = await one.new_guest(), await two.new_guest()
        match_id = await one.new_match(tokens[0], options={"pool": 100})
        await two.join(match_id, tokens[1])
        players = await present.enter_async_context(
            joined(one.player(match_id, tokens[0]), two.player(match_id, tokens[1]))
        )
        lobby = Visitor(await present.enter_async_context(visitor.lobby()))
        looking = asyncio.create_task(lobby.look())
        await lobby.sees(real, match_id)
        attacking = asyncio.create_task(attack(attacker, create, present, MANY))
        moves = await play_beside(players, attacking)
        made = set(await attacking)
        looking.cancel()
        last = await visitor.lists()
    assert len(made) == MANY
    for shown in lobby.shown:
        assert real in shown["open"]
        assert match_id in shown["live"]
        # The attacker's newest may stand before them. The rest get what is left over.
        before = shown[kind][: shown[kind].index(real if kind == "open" else match_id)]
        assert len(made.intersection(before)) <= 1
        assert len(made.intersection(shown[kind])) <= MOST[kind]
    assert real in [entry["id"] for entry in last["open"]]
    assert match_id in [entry["id"] for entry in last["live"]]
    if create is match_with_the_computer:
        assert not any(made.intersection(shown["live"]) for shown in lobby.shown)
    measured["moves of others, p99"] = [len(moves), p99(moves)]
    measured["messages of the lobby"] = len(lobby.shown)
    measured["attacker's places"] = len(made.intersection(lobby.shown[-1][kind]))
    assert len(moves) > 20
    assert p99(moves) < UNHURT
