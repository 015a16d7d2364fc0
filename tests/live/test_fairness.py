"""No help with a position that somebody is playing against another person, on a real server."""

from contextlib import asynccontextmanager

import pytest
import websockets

from tests.live.client import Client, call, join, new_guest, new_match
from tests.serving import serving

ADAS, BOS, OTHER = "198.51.100.1", "198.51.100.2", "198.51.100.3"


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(request, tmp_path_factory):
    """A server behind a proxy, so that the tests can come from several addresses."""
    data = tmp_path_factory.mktemp("fair")
    with serving(data, NUMGAMES_PROXY="1", NUMGAMES_SERVER=request.param) as server:
        yield server


@asynccontextmanager
async def connected(server, match_id, token, address):
    headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": address}
    async with websockets.connect(
        f"{server.ws}/ws/match/{match_id}/", additional_headers=headers
    ) as socket:
        client = Client(socket)
        await client.receive("snapshot")
        yield client


async def hint(client):
    """Ask for a hint; return "hint", or the code of the refusal."""
    await client.send(type="hint", version=client.version, id="h")
    answer = await client.receive("hint", "rejected")
    return answer.get("code", "hint")


@pytest.fixture
def people(server):
    """Ada's and Bo's tokens, and the match they play, each from an address of their own."""
    ada, bo = new_guest(server), new_guest(server)
    match_id = new_match(server, ada)
    assert join(server, match_id, bo)[0] == 200
    return ada, bo, match_id


async def test_a_copy_on_one_device_gives_no_hints_while_its_position_is_being_played(
    server, people
):
    ada, bo, match_id = people
    copy = new_match(server, ada, same_device=True)
    async with (
        connected(server, match_id, ada, ADAS) as playing,
        connected(server, match_id, bo, BOS) as opponent,
        connected(server, copy, ada, ADAS) as copied,
        connected(server, copy, ada, OTHER) as copied_elsewhere,
    ):
        assert await hint(copied) == "no_hints"
        assert await hint(copied_elsewhere) == "no_hints"
        await playing.played(6)
        assert await hint(copied) == "hint"
        await copied.played(6)
        assert await hint(copied) == "no_hints"
        await opponent.send(type="resign", id="r")
        await playing.until(2)
        assert await hint(copied) == "hint"


async def test_only_the_players_and_their_networks_get_no_hints(server, people):
    ada, bo, match_id = people
    third = new_guest(server)
    own = new_match(server, third, same_device=True)
    async with (
        connected(server, match_id, ada, ADAS),
        connected(server, match_id, bo, BOS),
        connected(server, match_id, third, OTHER),
        connected(server, own, third, ADAS) as beside_ada,
        connected(server, own, third, OTHER) as elsewhere,
    ):
        assert await hint(beside_ada) == "no_hints"
        # Watching is not playing.
        assert await hint(elsewhere) == "hint"


async def test_matches_with_a_computer_or_on_one_device_hold_no_hints_back(server):
    ada = new_guest(server)
    one, two = (new_match(server, ada, same_device=True) for _ in range(2))
    against_computer = new_match(server, ada, computer="perfect")
    async with (
        connected(server, one, ada, ADAS) as client,
        connected(server, two, ada, ADAS) as other,
        connected(server, against_computer, ada, ADAS) as third,
    ):
        assert {await hint(each) for each in (client, other, third)} == {"hint"}


async def test_exploring_a_position_is_refused_while_it_is_being_played(server, people):
    ada, _, match_id = people
    finished = new_match(server, ada, same_device=True)
    async with connected(server, finished, ada, ADAS) as client:
        for move in (6, 1, 7):
            await client.played(move)

    def explore(query, token=None, address=OTHER):
        path = f"/api/matches/{finished}/explore/?{query}"
        status, answer = call(
            server, "GET", path, token=token, headers={"X-Forwarded-For": address}
        )
        return status, answer.get("code")

    async with connected(server, match_id, ada, ADAS) as playing:
        assert explore("version=0", ada) == (403, "no_hints")
        assert explore("version=0", address=ADAS) == (403, "no_hints")
        # Others may have asked before, and the answer is cached.
        assert explore("version=0") == (200, None)
        assert explore("version=0", ada) == (403, "no_hints")
        assert explore("version=1", ada) == (200, None)
        await playing.played(6)
        assert explore("version=0", ada) == (200, None)
        assert explore("version=0&moves=6", ada) == (403, "no_hints")
        await playing.send(type="resign", id="r")
        await playing.until(2)
        assert explore("version=0&moves=6", ada) == (200, None)
