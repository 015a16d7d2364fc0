"""Somebody resigns and asks for a rematch in a loop: the database grows by a bounded amount."""

import json
import time

import pytest
from websockets.sync.client import connect

from tests.faults.attacking import Connection, people_beside
from tests.serving import serving

SECONDS = 6
# What one guest may create at once, and what one network may: `limits.py`.
BY_GUEST, BY_NETWORK, BY_NETWORK_A_SECOND = 20, 240, 2


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as server:
        yield server


def received(socket, *kinds):
    while (message := json.loads(socket.recv(10)))["type"] not in kinds:
        pass
    return message


def rematch_in_a_loop(port, seconds):
    """Resign and ask for a rematch as fast as the server answers, with one guest after another.

    Returns how many matches each guest got, and the codes of the refusals.
    """
    connection, end = Connection(port), time.monotonic() + seconds
    made, codes = [], set()
    while time.monotonic() < end:
        settings = {"game": "number-tower-duel", "same_device": True}
        _, guest = connection.ask("POST", "/api/guests/", {})
        if "token" not in guest:
            break
        identity = {"Authorization": f"Bearer {guest['token']}"}
        status, match = connection.ask("POST", "/api/matches/", settings, **identity)
        if status != 201:
            codes.add(match["code"])
            time.sleep(0.05)
            continue
        made.append(1)
        match_id = match["id"]
        while match_id and time.monotonic() < end:
            with connect(
                f"ws://127.0.0.1:{port}/ws/match/{match_id}/", additional_headers=identity
            ) as socket:
                socket.send('{"type": "resign", "id": "r"}')
                received(socket, "update")
                socket.send('{"type": "rematch", "id": "again"}')
                answer = received(socket, "rematch", "rejected")
            match_id = answer.get("next")
            if match_id:
                made[-1] += 1
            else:
                codes.add(answer["code"])
    return made, codes


async def test_a_loop_of_rematches_creates_no_more_matches_than_the_limits_allow(server, measured):
    made, codes = await people_beside(server, measured, rematch_in_a_loop, SECONDS)
    measured["matches by each guest"] = made
    assert codes == {"too_many"}
    assert max(made) <= BY_GUEST + SECONDS
    assert sum(made) <= BY_NETWORK + BY_NETWORK_A_SECOND * (SECONDS + 2)
