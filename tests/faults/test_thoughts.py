"""Strangers ask the solver for far more than it can do: computers still move, and people play."""

import asyncio
import time
from contextlib import AsyncExitStack
from itertools import islice, permutations

import pytest

from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import connected, new_guest, new_match, new_pair
from tests.serving import serving

# The largest grid: nothing takes the solver longer.
LARGEST = {"game": "number-collapse", "options": {"size": 5}, "same_device": True}
QUESTIONS = 150
# In seconds. The computer pauses for up to 1.4 of them before it thinks.
COMPUTER_MOVES_WITHIN = 3.0
PEOPLE_MOVE_WITHIN = 0.25


async def get(server, path, token=None):
    """Make an API request on a connection of its own; return the status and the headers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        await ask_for(writer, path, token)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    finally:
        writer.close()
    return int(head[0].split()[1]), dict(line.lower().split(": ", 1) for line in head[1:-2])


async def ask_for(writer, path, token=None):
    identity = f"Authorization: Bearer {token}\r\n" if token else ""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{identity}\r\n"
    writer.write(request.encode())
    await writer.drain()


async def computer_answers(server, done):
    """Play the computer until the attack is over; return how long each of its moves took."""
    token = await asyncio.to_thread(new_guest, server)
    times = []
    while not done.done():
        match_id = await asyncio.to_thread(
            new_match, server, token, "number-collapse", computer="perfect"
        )
        async with connected(server, match_id, token) as client:
            await client.played(client.board["legal"][0])
            begin = time.monotonic()
            await client.receive("update", seconds=60)
            times.append(time.monotonic() - begin)
    return times


async def check_beside(server, attack, measured):
    """Check what others notice of an attack: a match between two people, one with a computer."""
    match_id, *tokens = await asyncio.to_thread(
        new_pair, server, "chain-factor", options={"pool": 100}
    )
    async with joined(*(Player(lambda: server.ws, match_id, token) for token in tokens)) as two:
        attacking = asyncio.create_task(attack)
        answers, moves, _ = await asyncio.gather(
            computer_answers(server, attacking), play_beside(two, attacking), attacking
        )
    slow = p99(moves)
    measured["computer's moves, slowest"] = max(answers)
    measured["people's moves, p99, slowest"] = [slow, max(moves)]
    measured["moves"] = len(moves)
    assert max(answers) < COMPUTER_MOVES_WITHIN
    assert slow < PEOPLE_MOVE_WITHIN


async def new_tables(server, guests, each):
    """Create matches on one device; return each guest's token with its matches."""
    tables = []
    for _ in range(guests):
        token = await asyncio.to_thread(new_guest, server)
        matches = [
            await asyncio.to_thread(new_match, server, token, **LARGEST) for _ in range(each)
        ]
        tables.append((token, matches))
    return tables


@pytest.mark.parametrize(("guests", "each"), [(1, 1), (30, 5)], ids=["one grid", "many guests"])
async def test_hints_whose_socket_is_closed_delay_nobody(alone, measured, guests, each):
    tables = await new_tables(alone, guests, each)

    async def attack():
        for _ in range(3):
            async with AsyncExitStack() as sockets:
                for token, matches in tables:
                    for match_id in matches:
                        client = await sockets.enter_async_context(
                            connected(alone, match_id, token)
                        )
                        for number in range(QUESTIONS // guests // each):
                            await client.send(type="hint", version=0, id=f"h{number}")
            await asyncio.sleep(1)

    await check_beside(alone, attack(), measured)


async def finished_grid(server):
    token = await asyncio.to_thread(new_guest, server)
    match_id = await asyncio.to_thread(new_match, server, token, **LARGEST)
    async with connected(server, match_id, token) as client:
        await client.send(type="resign", id="r")
        await client.until(1)
    return match_id


def lines(match_id):
    """Return addresses of different positions early in the match."""
    # None of these cells is beside another, so they can be selected in any order.
    apart = (1, 3, 5, 11, 13, 15, 21, 23, 25)
    tried = [*permutations(apart, 2), *permutations(apart, 3)][:QUESTIONS]
    return [
        f"/api/matches/{match_id}/explore/?version=0&moves={','.join(map(str, moves))}"
        for moves in tried
    ]


@pytest.mark.parametrize("guests", [0, 30], ids=["without an id", "many guests"])
async def test_explored_positions_delay_nobody_and_what_is_too_much_is_refused_at_once(
    alone, measured, guests
):
    match_id = await finished_grid(alone)
    tokens = [await asyncio.to_thread(new_guest, alone) for _ in range(guests)] or [None]
    taken = []

    async def ask(number, path):
        begin = time.monotonic()
        status, headers = await get(alone, path, tokens[number % len(tokens)])
        taken.append((status, headers.get("retry-after"), time.monotonic() - begin))

    async def attack():
        for _ in range(2):
            await asyncio.gather(*(ask(*each) for each in enumerate(lines(match_id))))

    await check_beside(alone, attack(), measured)
    refused = [one for one in taken if one[0] != 200]
    measured["answered"] = len(taken) - len(refused)
    measured["refused, slowest"] = max(seconds for _, _, seconds in refused)
    assert {status for status, _, _ in refused} <= {429, 503}
    assert all(wait for _, wait, _ in refused)
    assert len(taken) > len(refused)


async def test_requests_whose_connection_is_closed_delay_nobody(alone, measured):
    match_id = await finished_grid(alone)

    async def attack():
        for _ in range(6):
            for path in lines(match_id):
                _, writer = await asyncio.open_connection("127.0.0.1", alone.port)
                await ask_for(writer, path)
                writer.close()
                # The solver is under attack here, not the server's handling of requests.
                await asyncio.sleep(0.005)
            # The next of these was never kept waiting by those that were dropped.
            status, _ = await get(alone, f"/api/matches/{match_id}/review/")
            assert status == 200

    await check_beside(alone, attack(), measured)


async def time_of_a_hint(server):
    """Return how long somebody waits for a hint on the largest grid."""
    ((token, (match_id,)),) = await new_tables(server, 1, 1)
    async with connected(server, match_id, token) as client:
        begin = time.monotonic()
        await client.send(type="hint", version=0, id="h")
        assert (await client.receive("hint", "rejected", seconds=30))["type"] == "hint"
        return time.monotonic() - begin


async def test_hints_whose_socket_is_closed_make_room_for_others(alone, measured):
    tables = await new_tables(alone, 30, 1)
    await time_of_a_hint(alone)
    alone_took = await time_of_a_hint(alone)
    for token, (match_id,) in tables:
        async with connected(alone, match_id, token) as client:
            await client.send(type="hint", version=0, id="h")
    took = await time_of_a_hint(alone)
    measured["a hint before, after"] = [alone_took, took]
    # One of them may be running, and thirty would take far longer.
    assert took < 3 * alone_took + 0.5


@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
async def test_requests_whose_connection_is_closed_make_room_for_others(tmp_path, name, measured):
    with serving(tmp_path, NUMGAMES_SERVER=name) as server:
        match_id = await finished_grid(server)
        await time_of_a_hint(server)
        alone_took = await time_of_a_hint(server)
        paths = iter(lines(match_id))
        for _ in range(8):
            # Eight people without an id may ask at a time.
            first = asyncio.create_task(get(server, next(paths)))
            writers = []
            for path in islice(paths, 7):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                await ask_for(writer, path)
                writers.append(writer)
            # When the first is answered, the others are in the queue.
            assert (await first)[0] == 200
            for writer in writers:
                writer.close()
                await writer.wait_closed()
        took = await time_of_a_hint(server)
        measured["a hint before, after"] = [alone_took, took]
        assert took < 3 * alone_took + 0.5
