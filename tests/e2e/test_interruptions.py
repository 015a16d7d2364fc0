"""Interruptions that a match survives: reloads, second tabs, network cuts, a killed server."""

import signal

import pytest
from playwright.sync_api import expect

from tests.live.client import fresh
from tests.serving import Server

# A page drops a connection after 9 s of silence, and checks every 2.5 s.
NOTICED = 20_000


def connection(person):
    return person.page.locator("#connection")


def played(person):
    return [entry["move"] for entry in fresh(person.server, person.match_id)["history"]]


def test_a_reload_in_mid_match_keeps_the_seat(pair):
    one, two = pair()
    one.play(6)
    two.page.reload()
    two.sees_moves(1)
    two.has_turn()
    two.play(3)
    one.sees_moves(2)
    one.has_turn()


def test_a_second_tab_keeps_the_seat_and_both_follow(pair):
    one, two = pair()
    tab = one.another_tab().visit(one.path)
    tab.has_turn()
    tab.play(6)
    one.sees_moves(1)
    assert one.board() == tab.board()
    two.play(3)
    one.has_turn()
    tab.has_turn()
    one.play(1)
    tab.sees_moves(3)
    expect(two.page.locator("#spectators")).to_have_text("")


def test_a_board_catches_up_without_a_reload_after_a_network_cut(pair):
    one, two = pair()
    two.may_lose_connection = True
    two.page.evaluate("window.sameDocument = true")
    two.context.set_offline(True)
    one.play(6)
    assert two.moves.count() == 0
    two.context.set_offline(False)
    two.sees_moves(1)
    two.has_turn()
    assert two.board() == one.board()
    assert two.page.evaluate("window.sameDocument")
    two.play(3)
    one.sees_moves(2)


def test_a_move_made_offline_is_kept_and_sent_when_back_online(pair):
    one, two = pair()
    one.may_lose_connection = True
    one.context.set_offline(True)
    one.tile(6).click()
    expect(connection(one)).not_to_be_empty(timeout=NOTICED)
    one.sees_status("Your move is saved here")
    assert played(two) == []
    one.context.set_offline(False)
    two.sees_moves(1)
    one.sees_moves(1)
    expect(connection(one)).to_be_empty()
    two.has_turn()
    assert one.board() == two.board()
    assert played(one) == [6]


def test_a_kept_move_is_dropped_if_the_match_has_moved_on(pair):
    one, two = pair()
    tab = one.another_tab().visit(one.path)
    tab.has_turn()
    one.cut_off()
    one.tile(6).click()
    tab.play(4)
    one.come_back()
    one.sees_moves(1)
    one.waits()
    assert one.board() == tab.board()
    two.play(8)
    one.has_turn()
    assert played(one) == [4, 8]


def test_a_player_who_is_cut_off_is_shown_as_away_until_they_are_back(pair):
    one, two = pair()
    presence = two.page.locator("#player-1 .presence")
    expect(presence).to_have_text("here")
    one.may_lose_connection = True
    one.context.set_offline(True)
    expect(presence).to_have_text("away")
    expect(two.page.locator("#countdown")).to_contain_text("away")
    one.context.set_offline(False)
    expect(presence).to_have_text("here")
    expect(two.page.locator("#countdown")).to_be_empty()


class Restartable:
    """A server that a test can kill and restart with the same port and data."""

    def __init__(self, data):
        self.data = data
        self.running = Server(data, NUMGAMES_LIMITS="off")

    def kill(self):
        self.running.end(signal.SIGKILL)

    def start(self):
        self.running = Server(self.data, self.running.port, NUMGAMES_LIMITS="off")


@pytest.fixture
def restartable(tmp_path):
    made = Restartable(tmp_path)
    yield made
    made.running.stop()


def test_a_match_continues_after_the_server_is_killed_and_restarted(restartable, pair):
    one, two = pair(at=restartable.running)
    one.play(6)
    two.play(3)
    one.sees_moves(2)
    before = one.board()
    for person in (one, two):
        person.may_lose_connection = True
        person.page.evaluate("window.sameDocument = true")
    restartable.kill()
    for person in (one, two):
        expect(connection(person)).not_to_be_empty()
        assert person.board() == before
    restartable.start()
    for person in (one, two):
        expect(connection(person)).to_be_empty()
        person.sees_moves(2)
        assert person.board() == before
        assert person.page.evaluate("window.sameDocument")
    one.has_turn()
    one.play(1)
    two.sees_moves(3)
    two.play(8)
    one.sees_moves(4)


def test_a_move_chosen_while_the_server_is_down_is_played_when_it_is_back(restartable, pair):
    one, two = pair(at=restartable.running)
    one.may_lose_connection = two.may_lose_connection = True
    restartable.kill()
    expect(connection(one)).not_to_be_empty()
    one.tile(6).click()
    one.sees_status("Your move is saved here")
    restartable.start()
    two.sees_moves(1)
    two.has_turn()
    assert played(two) == [6]
