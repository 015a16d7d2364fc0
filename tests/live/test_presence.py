"""Presence and claims of a win, with a fake clock and on a real server."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from games.live.live_match import LiveMatch
from games.live.presence import (
    TOLD_FOR,
    Presence,
    check_claim,
    claimable_at,
    message,
    steady_until,
)
from games.live.process import Process
from games.refusals import Refusal
from tests.live.client import connected, new_guest, new_match, new_pair
from tests.serving import serving

NOW = 1_000_000.0


def loaded(listed=False, turn=2, turn_began=NOW, **row):
    return SimpleNamespace(
        row=SimpleNamespace(
            **{
                "listed": listed,
                "status": "live",
                "same_device": False,
                "seat_1_id": 1,
                "seat_2_id": 2,
                **row,
            }
        ),
        state=SimpleNamespace(turn=turn),
        turn_began=turn_began,
        outcome=None,
        is_live=True,
        is_computer=lambda seat: False,
    )


def code_of(match, presence, seat, now, known=True):
    try:
        check_claim(match, presence, seat, known, now)
    except Refusal as refusal:
        return refusal.code
    return "allowed"


@pytest.mark.parametrize(("listed", "limit"), [(False, 120), (True, 30)])
def test_you_can_claim_the_win_if_the_opponent_is_away_on_their_turn(listed, limit):
    presence = Presence(since=NOW, heard={1: NOW, 2: NOW})
    match = loaded(listed)
    assert code_of(match, presence, 1, NOW + 4) in ("still_here", "too_early")
    assert code_of(match, presence, 1, NOW + limit - 1) == "too_early"
    assert code_of(match, presence, 1, NOW + limit) == "allowed"
    assert code_of(match, presence, 2, NOW + limit) == "your_turn"
    assert code_of(match, presence, 1, NOW + limit, known=False) == "presence_unknown"


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("computer", [None, 2])
@pytest.mark.parametrize("seat_2_id", [2, None])
@pytest.mark.parametrize("turn_began", [NOW - 118, NOW - 60, NOW])
@pytest.mark.parametrize("heard", [{1: NOW, 2: NOW - 2}, {1: NOW - 6, 2: NOW}, {1: NOW}, {}])
def test_while_presence_is_steady_the_message_does_not_change_even_after_moves(
    listed, computer, seat_2_id, turn_began, heard
):
    presence = Presence(since=NOW - 100, heard=heard)
    match = loaded(listed, turn_began=turn_began, seat_2_id=seat_2_id)
    match.is_computer = lambda seat: seat == computer
    match.is_live = seat_2_id is not None
    now = message(match, presence, 0, True, NOW)
    until = steady_until(match, presence, now, NOW)
    seconds = NOW
    while seconds < until:
        moved = (turn_began, 2), (seconds, 1), (seconds, 2)
        for match.turn_began, match.state.turn in moved:
            assert message(match, presence, 0, True, seconds) == now
        seconds += 0.25


def test_presence_is_steady_until_the_first_player_would_count_as_away():
    presence = Presence(since=NOW - 100, heard={1: NOW, 2: NOW - 2})
    now = message(loaded(), presence, 0, True, NOW)
    assert steady_until(loaded(), presence, now, NOW) == NOW + 3


def test_only_time_during_the_opponents_turn_counts():
    presence = Presence(since=NOW, heard={1: NOW + 500, 2: NOW})
    match = loaded(turn_began=NOW + 500)
    assert claimable_at(match, presence, NOW + 501) == NOW + 620


def test_coming_back_ends_the_countdown():
    presence = Presence(since=NOW, heard={1: NOW, 2: NOW})
    assert code_of(loaded(), presence, 1, NOW + 200) == "allowed"
    presence.heard[2] = NOW + 200
    assert code_of(loaded(), presence, 1, NOW + 200) == "still_here"


def test_only_in_listed_matches_you_can_claim_the_win_from_an_idle_opponent():
    presence = Presence(since=NOW, heard={1: NOW + 120, 2: NOW + 120})
    assert code_of(loaded(listed=True), presence, 1, NOW + 119) == "too_early"
    assert code_of(loaded(listed=True), presence, 1, NOW + 120) == "allowed"
    assert code_of(loaded(listed=False), presence, 1, NOW + 120) == "still_here"


def test_a_process_counts_absence_from_its_own_start():
    presence = Presence(since=NOW)
    match = loaded(turn_began=NOW - 1000)
    assert code_of(match, presence, 1, NOW + 119) == "too_early"
    assert code_of(match, presence, 1, NOW + 120) == "allowed"


def test_heartbeats_from_another_process_count_even_after_it_crashes():
    process = Process()
    live = process.hub.matches["match"] = LiveMatch("match", NOW, process.tasks)
    process.elsewhere.take_presence("b", {"match": ({"2": 1.0}, 0)}, NOW + 100)
    process.elsewhere.take_presence("c", {"match": ({"2": 50.0}, 0)}, NOW + 100)
    assert not live.presence.is_away(2, NOW + 100)
    # Later that process is gone, but the countdown still starts at the last heartbeat.
    assert claimable_at(loaded(), live.presence, NOW + 160) == NOW + 99 + 120


def test_spectators_of_other_processes_are_counted_until_their_count_expires():
    process, now = Process(), time.monotonic()
    hub = process.hub
    process.elsewhere.take_presence("b", {"match": ({}, 3)}, now)
    process.elsewhere.take_presence("c", {"match": ({}, 2), "other": ({}, 7)}, now - TOLD_FOR + 1)
    assert hub.spectators_of("match") == 5
    assert hub.spectators_of("other") == 7
    process.elsewhere.take_presence("c", {}, now)
    assert hub.spectators_of("match") == 3
    process.elsewhere.take_presence("b", {"match": ({}, 3)}, now - TOLD_FOR)
    assert hub.spectators_of("match") == 0


def test_the_countdown_is_shown_after_five_seconds_and_never_on_one_device():
    presence = Presence(since=NOW, heard={1: NOW + 10, 2: NOW})
    shown = message(loaded(), presence, 0, True, NOW + 4)
    assert shown["players"] == {"1": "here", "2": "here"}
    assert shown["claim"] is None
    shown = message(loaded(), presence, 0, True, NOW + 5)
    assert shown["players"] == {"1": "here", "2": "away"}
    assert shown["claim"] == {"seat": 1, "at": NOW + 120}
    assert message(loaded(turn=1), presence, 0, True, NOW + 5)["claim"] is None
    assert message(loaded(same_device=True), presence, 0, True, NOW + 5)["claim"] is None
    assert message(loaded(), presence, 0, False, NOW + 5)["claim"] is None


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A server where players can claim the win after 7 seconds."""
    data = tmp_path_factory.mktemp("quick")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_CLAIM_AFTER="7,7,8") as server:
        yield server


async def ping(client):
    while True:
        await client.send(type="ping", version=client.version)
        await asyncio.sleep(1)


async def test_a_player_claims_the_win_after_the_opponent_has_left(quick):
    match_id, one, two = new_pair(quick)
    async with connected(quick, match_id, one) as first:
        async with connected(quick, match_id, two):
            await first.played(6)
        await first.send(type="claim", id="early")
        assert (await first.receive("rejected"))["code"] in ("still_here", "too_early")
        pinging = asyncio.create_task(ping(first))
        shown = await first.receive("presence", seconds=15)
        while shown["claim"] is None:
            shown = await first.receive("presence", seconds=15)
        assert shown["players"] == {"1": "here", "2": "away"}
        assert shown["claim"]["seat"] == 1
        assert 0 <= shown["claim"]["in"] <= 2.5
        await asyncio.sleep(shown["claim"]["in"])
        await first.send(type="claim", id="now")
        update = await first.receive("update", "rejected")
        pinging.cancel()
        assert update["decision"] == "claim"
        assert update["outcome"]["winner"] == 1
        assert update["outcome"]["code"] == "claim"


async def test_a_claim_is_refused_if_the_opponent_has_returned(quick):
    match_id, one, two = new_pair(quick)
    async with connected(quick, match_id, one) as first:
        pinging = asyncio.create_task(ping(first))
        async with connected(quick, match_id, two):
            await first.played(6)
        shown = await first.receive("presence", seconds=15)
        while shown["claim"] is None:
            shown = await first.receive("presence", seconds=15)
        await asyncio.sleep(shown["claim"]["in"])
        async with connected(quick, match_id, two) as second:
            await first.send(type="claim", id="late")
            assert (await first.receive("rejected"))["code"] == "still_here"
            assert (await second.played(3))["type"] == "update"
        pinging.cancel()


async def test_spectators_are_counted(quick):
    async def told(client, spectators):
        async with asyncio.timeout(3):
            while (await client.receive("presence"))["spectators"] != spectators:
                pass

    match_id = new_match(quick, new_guest(quick))
    async with connected(quick, match_id) as watching:
        async with connected(quick, match_id), connected(quick, match_id):
            await told(watching, 3)
        await told(watching, 1)
