"""Presence and claims of a win, with a fake clock and on a real server."""

import asyncio
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from games.live.live_match import LiveMatch
from games.live.presence import (
    TOLD_FOR,
    Presence,
    check_claim,
    claimable_at,
    duration,
    message,
    steady_until,
)
from games.live.process import Process
from games.matches import database
from games.models import Match
from games.refusals import Refusal
from tests.live.client import connected, join, new_guest, new_match, new_pair
from tests.live.in_process import FakeClient
from tests.live.in_process import new_match as stored_match
from tests.serving import serving

NOW = 1_000_000.0


DAY = 24 * 60 * 60


def loaded(listed=False, turn=2, turn_began=NOW, stored=None, moved=(1, 2), **row):
    """A match as presence sees it; `moved` are the seats that have moved."""
    return SimpleNamespace(
        row=SimpleNamespace(
            **{
                "listed": listed,
                "status": "live",
                "pace": "now",
                "same_device": False,
                "seat_1_id": 1,
                "seat_2_id": 2,
                **row,
            }
        ),
        state=SimpleNamespace(turn=turn),
        turn_began=turn_began,
        turn_began_as_stored=turn_began if stored is None else stored,
        has_moved=lambda seat: seat in moved,
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


@pytest.mark.parametrize("listed", [False, True])
def test_nobody_can_claim_the_win_from_a_player_who_has_not_opened_the_match(listed):
    match = loaded(listed, moved=())
    presence = Presence(since=NOW, heard={1: NOW + 500}, began=NOW)
    for later in (4, 30, 120, 10_000):
        code = code_of(match, presence, 1, NOW + later)
        assert code == ("still_here" if later < 5 else "not_seen")
    assert code_of(match, presence, 1, NOW + 500, known=False) == "presence_unknown"
    shown = message(match, presence, 0, True, NOW + 500)
    assert (shown["claim"], shown["unseen"]) == (None, [2])
    assert message(match, presence, 0, False, NOW + 500)["unseen"] == []


@pytest.mark.parametrize("where", ["heard", "heard_elsewhere"])
def test_a_player_who_was_on_the_page_only_before_the_match_began_has_not_seen_it(where):
    match = loaded(moved=())
    presence = Presence(since=NOW - 100, began=NOW)
    getattr(presence, where)[2] = NOW - 1
    assert code_of(match, presence, 1, NOW + 500) == "not_seen"
    getattr(presence, where)[2] = NOW + 1
    assert code_of(match, presence, 1, NOW + 500) == "allowed"


def test_a_match_that_began_before_the_machine_did_has_not_been_seen_by_those_who_were_not_heard():
    """Monotonic time starts with the machine, so the start of the match is before zero."""
    presence = Presence(since=100.0, heard={1: 100.0}, began=-1000.0)
    assert presence.has_seen(1)
    assert not presence.has_seen(2)


def test_a_player_who_has_moved_has_seen_the_match():
    presence = Presence(since=NOW, began=NOW)
    assert code_of(loaded(moved=(2,)), presence, 1, NOW + 120) == "allowed"
    assert message(loaded(moved=(2,)), presence, 0, True, NOW + 120)["unseen"] == [1]


def test_the_computer_and_players_on_one_device_are_never_missed():
    presence = Presence(since=NOW, began=NOW)
    match = loaded(moved=(), same_device=True)
    assert message(match, presence, 0, True, NOW + 60)["unseen"] == []
    match = loaded(moved=(1,))
    match.is_computer = lambda seat: seat == 2
    assert message(match, presence, 0, True, NOW + 60)["unseen"] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
async def test_what_this_process_has_heard_since_the_start_counts_even_if_it_unloads_the_match():
    stored, one, two = await database.write(stored_match)
    hub = Process().hub
    for guest in (one, two):
        client = FakeClient(guest)
        live = await hub.enter(stored.pk, client.socket)
        assert live.presence.has_seen(1)
        hub.leave(live, client.socket)
    hub.unload(live)
    assert hub.loaded(stored.pk) is None
    again = await hub.enter(stored.pk, FakeClient(two).socket)
    assert again is not live
    assert again.presence.has_seen(1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
@pytest.mark.parametrize(("age", "has_seen"), [(10, True), (590, True), (610, False)])
async def test_what_another_process_has_heard_counts_if_it_was_after_the_start(age, has_seen):
    """A match that began ten minutes ago; this process has just loaded it."""
    stored, _one, two = await database.write(stored_match)
    started = timezone.now() - timedelta(minutes=10)
    await database.write(Match.objects.filter(pk=stored.pk).update, started=started)
    process = Process()
    live = await process.hub.enter(stored.pk, FakeClient(two).socket)
    process.elsewhere.take_presence("b", {stored.pk: ({"1": age}, 0)}, time.monotonic())
    assert live.presence.has_seen(1) is has_seen
    assert live.presence.has_seen(2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
async def test_a_player_who_waited_on_the_page_has_seen_the_match_with_their_next_heartbeat():
    stored, one, two = await database.write(stored_match)
    rows = Match.objects.filter(pk=stored.pk)
    await database.write(rows.update, status="open", seat_2=None)
    hub, client = Process().hub, FakeClient(one)
    live = await hub.enter(stored.pk, client.socket)
    assert not live.presence.has_seen(1)
    await database.write(rows.update, status="live", seat_2=two)
    await hub.refresh(live)
    assert not live.presence.has_seen(1)
    hub.hear(live, client.socket)
    assert live.presence.has_seen(1)
    assert not live.presence.has_seen(2)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("moved", [(), (1, 2)])
def test_without_hurry_a_win_can_be_claimed_after_three_days_if_the_player_is_away(listed, moved):
    match = loaded(listed, pace="no-hurry", moved=moved)
    presence = Presence(since=NOW, heard={1: NOW, 2: NOW}, began=NOW)
    assert code_of(match, presence, 1, NOW + 120) == "too_early"
    assert code_of(match, presence, 1, NOW + 3 * DAY - 1) == "too_early"
    assert code_of(match, presence, 1, NOW + 3 * DAY) == "allowed"
    assert code_of(match, presence, 1, NOW + 3 * DAY, known=False) == "presence_unknown"
    presence.heard[2] = NOW + 3 * DAY
    assert code_of(match, presence, 1, NOW + 3 * DAY + 1) == "still_here"
    # They looked and left: two more minutes.
    assert code_of(match, presence, 1, NOW + 3 * DAY + 119) == "too_early"
    assert code_of(match, presence, 1, NOW + 3 * DAY + 120) == "allowed"


def test_without_hurry_a_process_that_has_just_started_relies_on_stored_times():
    match = loaded(pace="no-hurry", turn_began=NOW, stored=NOW - 3 * DAY)
    presence = Presence(since=NOW)
    assert code_of(match, presence, 1, NOW + 119) == "too_early"
    assert code_of(match, presence, 1, NOW + 120) == "allowed"
    shown = message(match, presence, 0, True, NOW + 5)
    assert shown["claim"] == {"seat": 1, "at": NOW + 120}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 seconds"),
        (30, "30 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (7199, "120 minutes"),
        (7200, "2 hours"),
        (47 * 60 * 60, "47 hours"),
        (3 * DAY, "3 days"),
        (2.1 * DAY, "3 days"),
    ],
)
def test_a_length_of_time_is_said_in_the_largest_unit_of_which_it_has_several(seconds, text):
    assert duration(seconds) == text


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A server where players can claim the win after 7 seconds."""
    data = tmp_path_factory.mktemp("quick")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_CLAIM_AFTER="7,7,8,12") as server:
        yield server


async def ping(client):
    while True:
        await client.send(type="ping", version=client.version)
        await asyncio.sleep(1)


async def test_a_player_claims_the_win_after_the_opponent_has_left(quick):
    match_id, one, two = new_pair(quick, pace="now")
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
    match_id, one, two = new_pair(quick, pace="now")
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


async def test_a_friend_who_joins_cannot_claim_the_win_from_someone_who_never_saw_it_begin(quick):
    """The inviter was on the page, and went to look for a friend."""
    one, two = new_guest(quick), new_guest(quick)
    match_id = new_match(quick, one, pace="now")
    async with connected(quick, match_id, one):
        pass
    join(quick, match_id, two)
    async with connected(quick, match_id, two) as second:
        pinging = asyncio.create_task(ping(second))
        shown = await second.receive("presence", seconds=15)
        while not shown["unseen"]:
            shown = await second.receive("presence", seconds=15)
        assert shown == {
            **shown,
            "players": {"1": "away", "2": "here"},
            "unseen": [1],
            "claim": None,
        }
        await asyncio.sleep(8)
        await second.send(type="claim", id="c1")
        assert (await second.receive("update", "rejected"))["code"] == "not_seen"
        # Now they come, and leave.
        async with connected(quick, match_id, one):
            pass
        while shown["claim"] is None:
            shown = await second.receive("presence", seconds=15)
        assert shown["unseen"] == []
        await asyncio.sleep(shown["claim"]["in"])
        await second.send(type="claim", id="c2")
        assert (await second.receive("update", "rejected"))["decision"] == "claim"
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
