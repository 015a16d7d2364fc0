"""A program guesses ids at full speed: even a right one is refused, but players get in."""

import time
from collections import Counter

import pytest

from tests.faults.attacking import Connection, people_beside
from tests.live.client import connected, get, new_guest, new_match, new_pair, page, post
from tests.live.test_bad_input import closing
from tests.serving import serving

SECONDS = 5


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as server:
        yield server


def guess(port, seconds, token, right):
    """Try wrong ids at every kind of address, and after a second the right one among them.

    Returns how often each status came, for wrong ids and for the right one.
    """
    connection, begin = Connection(port), time.monotonic()
    wrong_ids, right_id = Counter(), Counter()
    identity = {"Authorization": f"Bearer {token}"}
    while (passed := time.monotonic() - begin) < seconds:
        for method, path in (
            ("GET", "/api/matches/{}/"),
            ("GET", "/m/{}/"),
            ("GET", "/m/{}/0.png"),
            ("GET", "/api/matches/{}/review/"),
            ("POST", "/api/matches/{}/cancel/"),
            ("POST", "/api/matches/{}/join/"),
        ):
            data = {} if method == "POST" else None
            wrong_ids[connection.ask(method, path.format("zzzzzzzz"), data, **identity)[0]] += 1
            if passed > 1:
                right_id[connection.ask(method, path.format(right), data, **identity)[0]] += 1
    return wrong_ids, right_id


async def test_above_the_limit_guessing_finds_nothing_and_players_get_in(server, measured):
    player, stranger = new_guest(server), new_guest(server)
    match_id = new_match(server, player)
    # Both seats are taken: if a try to join gets through, the stranger still plays nowhere.
    guessed, *_ = new_pair(server)
    wrong, right = await people_beside(server, measured, guess, SECONDS, stranger, guessed)
    measured["wrong ids"], measured["the right id"] = dict(wrong), dict(right)
    assert set(wrong) == {404, 429}
    assert wrong[404] <= 60 + SECONDS
    assert right[429] > 50
    # A try may hit the moment when a token comes back.
    assert sum(right.values()) - right[429] <= SECONDS
    # Take the token that comes back every two seconds, so that none does during what follows.
    for status in (404, 429):
        while get(server, "/api/matches/zzzzzzzz/")[0] == status:
            pass
    # Nobody else gets in anywhere, and the player does.
    assert get(server, f"/api/matches/{match_id}/", stranger)[0] == 429
    assert page(server, f"/m/{match_id}/")[0] == 429
    last, code = await closing(f"{server.ws}/ws/match/{match_id}/")
    assert (last["code"], code) == ("too_many", 4429)
    assert get(server, f"/api/matches/{match_id}/", player)[0] == 200
    async with connected(server, match_id, player) as client:
        assert client.board["you"] == [1]
        # It is loaded now, and still nobody else gets in.
        last, code = await closing(f"{server.ws}/ws/match/{match_id}/")
        assert (last["code"], code) == ("too_many", 4429)
    assert post(server, f"/api/matches/{match_id}/cancel/", {}, player) == (200, {})
