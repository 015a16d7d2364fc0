"""A program asks for tokens in a loop: browsers behind the same address still sit down."""

import asyncio
import sqlite3
import time
from collections import Counter
from contextlib import closing

import pytest

from tests.faults.attacking import Connection, people_beside
from tests.live.client import post, proof_for
from tests.serving import serving

SECONDS = 5
CSRF = "x" * 32


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as server:
        yield server


def ask_for_tokens(port, seconds, headers):
    """Ask as fast as the server answers; return how often each status came."""
    connection, end, statuses = Connection(port), time.monotonic() + seconds, Counter()
    while time.monotonic() < end:
        statuses[connection.ask("POST", "/api/guests/", {}, **headers)[0]] += 1
    return statuses


def sit_down(server, path, data):
    """Post as a browser that has only just opened the page."""
    headers = {"Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF}
    return post(server, path, data, headers=headers)


async def browsers_sit_down(server, pairs, seconds):
    """Let a class sit down, spread over these seconds; return the statuses."""
    statuses = []
    for _ in range(pairs):
        status, made = await asyncio.to_thread(
            sit_down, server, "/api/matches/", {"game": "chain-factor"}
        )
        statuses.append(status)
        path = f"/api/matches/{made.get('id')}/join/"
        statuses.append((await asyncio.to_thread(sit_down, server, path, {}))[0])
        await asyncio.sleep(seconds / pairs / 2)
    return statuses


def count(server, table):
    with closing(sqlite3.connect(server.data / "numgames.sqlite3")) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}]
)
async def test_a_loop_for_tokens_keeps_no_browser_out_and_stores_no_guest(
    server, measured, headers
):
    statuses, seated = await asyncio.gather(
        people_beside(server, measured, ask_for_tokens, SECONDS, headers),
        browsers_sit_down(server, 15, SECONDS),
    )
    measured["requests for tokens"] = dict(statuses)
    assert set(statuses) <= ({403} if headers else {201, 429})
    assert statuses[201] < 120 + 2 * SECONDS
    assert seated == [201, 200] * 15
    # The browsers and the two people who played.
    assert count(server, "games_guest") == 32
    if not headers:
        status, asked = post(server, "/api/guests/")
        assert (status, asked["code"]) == (429, "proof_needed")
        begin = time.monotonic()
        proof = proof_for(asked["challenge"], asked["bits"])
        measured["a proof took"] = time.monotonic() - begin
        given = {"challenge": asked["challenge"], "proof": proof}
        assert post(server, "/api/guests/", given)[0] == 201
