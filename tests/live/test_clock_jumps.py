"""A wall clock that jumps decides nothing: durations are measured by the monotonic clock."""

import time

import msgspec
import pytest

from games.live import protocol
from games.live.live_match import HELD_FOR
from games.live.process import Process
from games.live.relay import Relay
from games.matches import database
from games.models import Action, Match
from tests.live.in_process import FakeClient, new_match, settled

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("closed_connections"),
]

JUMP = 15 * 60.0


@pytest.fixture
def jump(monkeypatch):
    """Set the wall clock this many seconds ahead of the right time, for the whole process."""

    def jump(seconds, right=time.time):
        monkeypatch.setattr(time, "time", lambda: right() + seconds)

    return jump


def pass_time(live, seconds):
    """Age everything this process has seen of a match, as if this much time had passed."""
    presence = live.presence
    live.loaded.turn_seen -= seconds
    presence.since -= seconds
    if presence.began is not None:
        presence.began -= seconds
    for heard in (presence.heard, presence.heard_elsewhere):
        for seat in heard:
            heard[seat] -= seconds


class Table:
    """A match in which Player 1 has moved and Player 2, who is there, is thinking."""

    def __init__(self, process, live, players):
        self.process, self.live, self.players = process, live, players
        self.claims = 0

    @classmethod
    async def laid(cls, listed, pace="now"):
        match, *guests = await database.write(new_match)
        await database.write(Match.objects.filter(pk=match.pk).update, listed=listed, pace=pace)
        process, players = Process(), [FakeClient(guest) for guest in guests]
        for player in players:
            live = await process.hub.enter(match.pk, player.socket)
        table = cls(process, live, players)
        await table.submit(players[0], protocol.Move(move=6, version=0, id="m"))
        return table

    async def submit(self, player, request):
        self.process.writer.submit(self.live, player.socket, request)
        await settled(self.process.writer, player)
        return player.of_type("update", "rejected")[-1]

    async def claimed(self):
        """Let Player 1 claim the win; return the refusal's code, or None if they win."""
        self.claims += 1
        answer = await self.submit(self.players[0], protocol.Claim(id=f"c{self.claims}"))
        return answer.get("code")


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("seconds", [JUMP, -JUMP])
async def test_a_jump_lets_nobody_claim_the_win_from_a_player_who_is_there(jump, listed, seconds):
    table = await Table.laid(listed)
    jump(seconds)
    assert await table.claimed() == ("too_early" if listed else "still_here")
    message = table.process.hub.presence_of(table.live)
    assert message["players"] == {"1": "here", "2": "here"}
    assert message["claim"] is None


@pytest.mark.parametrize("listed", [False, True])
async def test_a_jump_ahead_does_not_shorten_the_wait_for_a_player_who_has_left(jump, listed):
    table = await Table.laid(listed)
    table.process.hub.leave(table.live, table.players[1].socket)
    jump(JUMP)
    pass_time(table.live, 25)
    assert await table.claimed() == "too_early"


@pytest.mark.parametrize("listed", [False, True])
async def test_a_claim_needs_both_clocks(jump, listed):
    table = await Table.laid(listed)
    pass_time(table.live, 130)
    # By the wall clock the turn has only just begun.
    assert await table.claimed() == "too_early"
    jump(130)
    assert await table.claimed() is None


async def test_after_a_jump_back_a_claim_waits_until_both_clocks_agree(jump):
    table = await Table.laid(listed=True)
    jump(-JUMP)
    pass_time(table.live, 130)
    assert await table.claimed() == "too_early"
    pass_time(table.live, JUMP)
    jump(130)
    assert await table.claimed() is None


async def test_a_process_that_has_just_started_counts_a_turn_from_then_on(jump):
    table = await Table.laid(listed=True)
    jump(JUMP)
    restarted = Process()
    for player in table.players:
        live = await restarted.hub.enter(table.live.id, player.socket)
    again = Table(restarted, live, table.players)
    assert await again.claimed() == "too_early"
    pass_time(live, 130)
    assert await again.claimed() is None


async def test_a_reload_does_not_restart_the_wait(jump):
    table = await Table.laid(listed=True)
    pass_time(table.live, 130)
    jump(130)
    await table.process.hub.refresh(table.live)
    assert await table.claimed() is None


async def test_a_turn_does_not_count_the_time_before_the_second_player_joined(jump):
    def open_again(match_id):
        Match.objects.filter(pk=match_id).update(status="open", listed=True, pace="now")

    match, one, two = await database.write(new_match)
    await database.write(open_again, match.pk)
    process, players = Process(), [FakeClient(guest) for guest in (two, one)]
    for player in players:
        live = await process.hub.enter(match.pk, player.socket)
    table = Table(process, live, players)
    pass_time(live, JUMP)
    await database.write(Match.objects.filter(pk=match.pk).update, status="live")
    await process.hub.refresh(live)
    for player in players:
        process.hub.hear(live, player.socket)
    jump(JUMP)
    assert await table.claimed() == "too_early"


THREE_DAYS = 3 * 24 * 60 * 60.0


async def leave(table):
    table.process.hub.leave(table.live, table.players[1].socket)


async def test_without_hurry_a_jump_ahead_is_not_three_days_of_silence(jump):
    table = await Table.laid(listed=False, pace="no-hurry")
    await leave(table)
    jump(2 * THREE_DAYS)
    pass_time(table.live, 130)
    assert await table.claimed() == "too_early"


async def test_without_hurry_three_days_count_by_stored_times_even_after_a_restart():
    """Nobody has seen three days pass, but the move was stored that long ago."""
    table = await Table.laid(listed=False, pace="no-hurry")
    await database.write(Action.objects.update, time=time.time() - THREE_DAYS - 1)
    restarted = Process()
    live = await restarted.hub.enter(table.live.id, table.players[0].socket)
    again = Table(restarted, live, table.players)
    # It has to listen for a while before it knows who is away.
    assert await again.claimed() == "still_here"
    pass_time(live, 60)
    assert await again.claimed() == "too_early"
    pass_time(live, 70)
    assert await again.claimed() is None


async def test_without_hurry_a_player_who_is_there_keeps_the_match_whatever_the_clock_says(jump):
    table = await Table.laid(listed=True, pace="no-hurry")
    await database.write(Action.objects.update, time=time.time() - 2 * THREE_DAYS)
    await table.process.hub.refresh(table.live)
    jump(THREE_DAYS)
    assert await table.claimed() == "still_here"


@pytest.mark.parametrize("seconds", [JUMP, -JUMP])
async def test_a_jump_makes_nobody_a_player_who_has_seen_the_match(jump, seconds):
    """Another process heard them before the match began, and then the clock jumped."""
    match, one, two = await database.write(new_match)
    await database.write(Match.objects.filter(pk=match.pk).update, pace="now")
    jump(seconds)
    process, waiting = Process(), FakeClient(two)
    live = await process.hub.enter(match.pk, waiting.socket)
    process.elsewhere.take_presence("b", {match.pk: ({"1": 60.0}, 0)}, time.monotonic())
    pass_time(live, 200)
    process.writer.submit(live, waiting.socket, protocol.Claim(id="c"))
    await settled(process.writer, waiting)
    assert waiting.of_type("rejected")[-1]["code"] == "not_seen"
    assert one.pk == match.seat_1_id


async def test_presence_from_another_process_is_an_age_whatever_the_clocks_say(jump, monkeypatch):
    table = await Table.laid(listed=False)
    hub, elsewhere = table.process.hub, table.process.elsewhere
    sent = []
    relay = Relay("redis://127.0.0.1:1", elsewhere.hear)
    monkeypatch.setattr(relay, "_tell", lambda kind, data: sent.append((kind, data)))
    relay.tell_presence({table.live.id: ({2: time.monotonic() - 1}, 3)})
    ((kind, data),) = msgspec.json.decode(msgspec.json.encode(sent))
    pass_time(table.live, 130)
    jump(JUMP)
    elsewhere.hear(kind, "b", data)
    assert hub.presence_of(table.live)["players"]["2"] == "here"
    jump(-JUMP)
    assert hub.presence_of(table.live)["players"]["2"] == "here"
    assert hub.spectators_of(table.live.id) == 3
    assert await table.claimed() == "still_here"
    await relay.close()


async def test_a_jump_does_not_unload_a_match(jump):
    table = await Table.laid(listed=False)
    for player in table.players:
        table.process.hub.leave(table.live, player.socket)
    jump(JUMP)
    await table.process.housekeeping.show_presence()
    assert table.live.id in table.process.hub.matches
    table.live.empty_since -= HELD_FOR + 1
    table.live.steady_until = 0.0
    await table.process.housekeeping.show_presence()
    assert table.live.id not in table.process.hub.matches
