"""The computer's moves, its hints, and reviews, on a real server."""

import asyncio
import contextlib
import signal
import time

import pytest

from games.live import protocol
from games.live.process import Process
from games.matches import database, services
from games.rules import GAMES
from games.solver import LEVELS, solve
from tests.datastores import redis
from tests.live.client import (
    connected,
    fresh,
    get,
    join,
    new_guest,
    new_match,
    new_pair,
    post,
)
from tests.live.in_process import FakeClient
from tests.serving import Server, serving


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A server whose computer moves without a pause."""
    data = tmp_path_factory.mktemp("quick")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_COMPUTER_PAUSE="0,0") as server:
        yield server


async def play_out(client, seat, choose):
    """Play this seat until the match ends."""
    while client.board["outcome"] is None:
        # The server plays forced passes.
        if client.board["turn"] == seat and client.board["legal"] != ["pass"]:
            answer = await client.played(choose(client.board))
            assert answer["type"] == "update", answer
        else:
            await client.receive("update", "snapshot", seconds=20)
    return client.board["outcome"]["winner"]


def first_legal(board):
    return board["legal"][0]


def perfectly(board):
    game = GAMES[board["game"]]
    return solve(game, game.from_json(board["state"])).best[0]


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("starts", ["me", "friend"])
async def test_a_match_against_the_perfect_computer_can_be_played_to_the_end(quick, slug, starts):
    token = new_guest(quick)
    match_id = new_match(quick, token, slug, starts, computer="perfect")
    seat = 1 if starts == "me" else 2
    async with connected(quick, match_id, token) as client, connected(quick, match_id) as watch:
        assert client.board["status"] == "live"
        computer = client.board["players"][str(3 - seat)]
        assert computer["level"] == "perfect"
        assert computer["about"] == LEVELS["perfect"].sentence
        winner = await play_out(client, seat, first_legal)
        # Player 1 can win all of these games, and as Player 1 the computer does.
        assert starts == "me" or winner == 1
        await watch.until(client.version)
        assert watch.board["history"] == client.board["history"]


@pytest.mark.parametrize("slug", GAMES)
async def test_perfect_play_from_the_winning_seat_beats_the_perfect_computer(quick, slug):
    token = new_guest(quick)
    match_id = new_match(quick, token, slug, "me", computer="perfect")
    async with connected(quick, match_id, token) as client:
        assert await play_out(client, 1, perfectly) == 1


async def test_the_computer_accepts_every_rematch_and_the_score_continues(quick):
    token = new_guest(quick)
    match_id = new_match(quick, token, "number-tower-duel", "me", computer="beginner")
    async with connected(quick, match_id, token) as client:
        await client.send(type="resign", id="r")
        await client.until(1)
        await client.send(type="rematch", id="again")
        following = (await client.receive("rematch"))["next"]
    async with connected(quick, following, token) as client:
        assert client.board["you"] == [2]
        assert client.board["series"] == {"number": 2, "score": {"1": 1, "2": 0}}
        # The seats have swapped, so the computer has the first turn.
        await client.until(1)


async def test_the_computer_is_never_away_and_nobody_can_claim_a_win_from_it(quick):
    token = new_guest(quick)
    match_id = new_match(quick, token, computer="casual")
    async with connected(quick, match_id, token) as client:
        for _ in range(3):
            await client.send(type="ping", version=client.version)
            await asyncio.sleep(2)
        await client.send(type="claim", id="c")
        assert (await client.receive("rejected"))["code"] == "your_turn"
        seen = [message for message in client.inbox if message["type"] == "presence"]
        assert {message["players"]["2"] for message in seen} == {"here"}


def test_nobody_can_take_the_computers_seat(quick):
    match_id = new_match(quick, new_guest(quick), computer="perfect")
    assert join(quick, match_id, new_guest(quick))[0] == 409


@pytest.mark.parametrize(
    "wrong",
    [
        {"computer": "godlike"},
        {"same_device": True},
        {"game": "number-collapse", "options": {"size": 5}},
    ],
)
def test_settings_that_the_computer_cannot_play_are_refused(quick, wrong):
    data = {"game": "chain-factor", "computer": "perfect", **wrong}
    status, answer = post(quick, "/api/matches/", data, new_guest(quick))
    assert (status, answer["code"]) == (400, "bad_level")


async def hint(client, version=None):
    version = client.version if version is None else version
    await client.send(type="hint", version=version, id="h")
    return await client.receive("hint", "rejected")


@pytest.mark.parametrize("setting", [{"computer": "perfect"}, {"same_device": True}])
async def test_a_hint_is_a_winning_move_with_a_reason(quick, setting):
    token = new_guest(quick)
    match_id = new_match(quick, token, "number-tower-duel", "me", **setting)
    async with connected(quick, match_id, token) as client:
        given = await hint(client)
        assert given["move"] in (5, 7)
        assert given["winner"] == 1
        assert str(given["move"]) in given["text"]
        assert (await hint(client, version=5))["code"] == "stale_version"
    async with connected(quick, match_id) as spectator:
        assert (await hint(spectator))["code"] == "spectator"


async def test_there_are_no_hints_and_no_verdicts_while_two_people_play(quick):
    match_id, one, _ = new_pair(quick)
    async with connected(quick, match_id, one) as client:
        assert (await hint(client))["code"] == "no_hints"
    for what in ("review", "explore"):
        status, answer = get(quick, f"/api/matches/{match_id}/{what}/", one)
        assert (status, answer["code"]) == (409, "not_finished")


async def finished_match(server):
    """Play 6, 1, 7: the first move gives the win away, and the second gives it back."""

    token = new_guest(server)
    match_id = new_match(server, token, "number-tower-duel", same_device=True)
    async with connected(server, match_id, token) as client:
        for move in (6, 1, 7):
            await client.played(move)
    return match_id


@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
async def test_the_server_stops_at_once_even_while_the_computer_is_thinking(tmp_path, name):
    settings = {"NUMGAMES_LIMITS": "off", "NUMGAMES_COMPUTER_PAUSE": "0,0"}
    server = Server(tmp_path, NUMGAMES_SERVER=name, **settings)
    token = new_guest(server)
    async with contextlib.AsyncExitStack() as stack:
        for slug in list(GAMES) * 3:
            match_id = new_match(server, token, slug, "friend", computer="perfect")
            await stack.enter_async_context(connected(server, match_id, token))
        begin = time.monotonic()
        server.end()
        took = time.monotonic() - begin
    assert took < 5
    assert server.log.read_text() == ""


async def test_anyone_with_the_link_can_see_the_review_and_its_turning_point(quick):
    match_id = await finished_match(quick)
    status, review = get(quick, f"/api/matches/{match_id}/review/")
    assert status == 200
    assert review["holders"] == [1, 2, 1, 1]
    assert [mark["kind"] for mark in review["marks"]] == ["gave_away", "gave_away", "kept"]
    assert review["marks"][0]["keeping"] == [5, 7]
    assert review["turning_point"] == 2
    assert get(quick, f"/api/matches/{match_id}/review/") == (200, review)


async def test_other_moves_can_be_tried_from_any_position_of_a_finished_match(quick):
    match_id = await finished_match(quick)

    def explore(query):
        return get(quick, f"/api/matches/{match_id}/explore/?{query}")

    status, first = explore("version=0")
    assert status == 200
    assert {one["move"] for one in first["solution"]["verdicts"] if one["winner"] == 1} == {5, 7}
    status, tried = explore("version=1&moves=3,9")
    assert tried["state"]["played"] == [6, 3, 9]
    assert tried["legal"] == [1]
    status, over = explore("version=0&moves=5,1,7")
    assert over["outcome"]["winner"] == 1
    assert over["solution"] is None
    assert explore("version=0&moves=5,2")[1]["code"] == "breaks_rule"
    for bad in ("version=9", "version=x", "moves=" + ",".join(["1"] * 200)):
        assert explore(bad)[1]["code"] == "bad_query"


async def test_if_the_server_is_killed_while_the_computer_thinks_it_moves_after_the_restart(
    tmp_path,
):
    settings = {"NUMGAMES_LIMITS": "off", "NUMGAMES_COMPUTER_PAUSE": "60,60"}
    server = Server(tmp_path, **settings)
    token = new_guest(server)
    match_id = new_match(server, token, "chain-factor", "me", computer="perfect")

    async with connected(server, match_id, token) as client:
        await client.played(6)
    server.end(signal.SIGKILL)
    with serving(tmp_path, NUMGAMES_LIMITS="off", NUMGAMES_COMPUTER_PAUSE="0,0") as after:
        async with asyncio.timeout(30):
            # Nobody is connected to the match, so the server has to find it.
            while fresh(after, match_id)["version"] < 2:
                await asyncio.sleep(0.2)


async def test_two_processes_that_think_about_the_same_turn_make_one_move(tmp_path):
    shared = {
        "NUMGAMES_LIMITS": "off",
        "NUMGAMES_SECRET_KEY": "the same for all processes of a site, as a deployment has it",
        "DATABASE_URL": f"sqlite:///{tmp_path}/shared.sqlite3",
        "NUMGAMES_COMPUTER_PAUSE": "0,0",
    }
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with redis() as url, contextlib.ExitStack() as stack:
        here, there = (
            stack.enter_context(serving(tmp_path / name, REDIS_URL=url, **shared))
            for name in ("one", "two")
        )
        token = new_guest(here)
        for _ in range(10):
            match_id = new_match(here, token, "number-tower-duel", "friend", computer="casual")
            # Both processes load the match while it is the computer's turn.
            async with (
                connected(here, match_id, token) as client,
                connected(there, match_id) as watch,
            ):
                await client.until(1)
                await watch.until(1)
                assert client.board["history"] == watch.board["history"]
                assert fresh(there, match_id)["version"] == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
async def test_the_computer_moves_again_at_once_after_a_pass_that_it_forced(settings):
    settings.COMPUTER_PAUSE = (0, 0)
    guest = await database.write(services.new_guest)
    match, _seat = await database.write(
        lambda: services.create_match(
            guest=guest, game="number-blossoms", starts="friend", computer="perfect"
        )
    )
    moves = iter([6, 2, 4, 8, 3])

    async def choose_move(*_position):
        return next(moves)

    process, client = Process(), FakeClient(guest)
    process.tasks.loop = asyncio.get_running_loop()
    process.thinking.choose_move = choose_move
    live = await process.hub.enter(match.pk, client.socket)
    await asyncio.wait_for(until_saved(process), 5)
    assert live.loaded.version == 1
    process.writer.submit(live, client.socket, protocol.Move(move=1, version=1, id="a"))
    await asyncio.wait_for(until_saved(process), 5)
    assert [action.move for action in live.loaded.actions] == [
        6,
        1,
        2,
        "pass",
        4,
        "pass",
        8,
        "pass",
        3,
    ]
    assert live.loaded.outcome.winner == 1
    process.commits.close()


async def until_saved(process):
    await process.writer.finished()
    await process.tasks.finished()
    await process.writer.finished()
