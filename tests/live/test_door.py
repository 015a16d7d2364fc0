"""Which websockets may come in."""

import pytest

from games.live.door import BY_GUEST, Door
from games.live.socket import Socket
from games.matches import limits
from games.refusals import Refusal

PLAYS = (1,)


@pytest.fixture(autouse=True)
def limits_on(settings, monkeypatch):
    settings.LIMITS = True
    monkeypatch.setattr(limits, "OPENING_BY_ADDRESS", limits.Limit(rate=0, burst=100_000))


def socket(guest_id=None, address="192.0.2.1"):
    return Socket(None, guest_id, address=address)


def fill(at, number, **who):
    """Let this many sockets in, each from another address unless one is given."""
    let_in = []
    for count in range(number):
        one = socket(**{"address": f"198.51.100.{count}", **who})
        at.enter(one)
        let_in.append(one)
    return let_in


def refused(function, *args):
    with pytest.raises(Refusal) as caught:
        function(*args)
    return caught.value.code, caught.value.status


def test_a_guest_has_a_limit_of_its_own():
    at = Door(1000)
    first, *_ = fill(at, BY_GUEST, guest_id=7)
    assert refused(at.enter, socket(guest_id=7)) == ("too_many", 429)
    at.enter(socket(guest_id=8))
    at.leave(first)
    at.enter(socket(guest_id=7))


def test_a_school_of_600_with_two_pages_each_fits_behind_one_address():
    at = Door(3000)
    for guest_id in range(600):
        fill(at, 2, guest_id=guest_id, address="192.0.2.1")
    assert len(at.of_address("192.0.2.1")) == 1200


def test_one_address_cannot_take_all_places():
    at = Door(40)
    fill(at, at.by_address, address="192.0.2.1")
    assert refused(at.enter, socket()) == ("too_many", 429)
    at.enter(socket(address="192.0.2.2"))


def test_players_come_in_from_an_address_that_has_too_many_sockets():
    at = Door(40)
    fill(at, at.by_address, address="192.0.2.1")
    player, watches = socket(guest_id=7), socket(guest_id=8)
    at.enter(player)
    at.enter(watches)
    player.you, watches.you = PLAYS, ()
    at.require_place(player)
    assert refused(at.require_place, watches) == ("too_many", 429)


def test_even_players_of_one_address_cannot_take_all_places():
    at = Door(40)
    for guest_id in range(at.by_address_with_players):
        at.enter(socket(guest_id))
    assert refused(at.enter, socket(guest_id=1000)) == ("too_many", 429)
    at.enter(socket(address="192.0.2.2"))


def test_the_last_places_are_for_players():
    at = Door(40)
    fill(at, at.most_spectators)
    assert refused(at.enter, socket()) == ("site_full", 503)
    watches = socket(guest_id=8, address="192.0.2.3")
    at.enter(watches)
    assert refused(at.require_place, watches) == ("site_full", 503)
    at.leave(watches)
    for guest_id in range(at.most - at.most_spectators):
        player = socket(guest_id, f"192.0.2.{guest_id}")
        at.enter(player)
        player.you = PLAYS
        at.require_place(player)
    assert refused(at.enter, socket(guest_id=999)) == ("site_full", 503)


def test_who_came_in_before_it_was_full_may_stay():
    at = Door(40)
    [early, *_] = fill(at, at.most_spectators)
    early.you = ()
    at.require_place(early)


def test_the_door_knows_the_sockets_of_a_guest_and_of_an_address():
    at = Door(40)
    one, two = socket(guest_id=7), socket(guest_id=7, address="192.0.2.2")
    at.enter(one)
    at.enter(two)
    assert at.of_guest(7) == {one, two}
    assert at.of_address("192.0.2.2") == {two}
    assert at.of_guest(8) == set()


def test_nothing_remains_of_sockets_that_have_gone_or_were_refused():
    at = Door(40)
    everyone = fill(at, at.most_spectators, guest_id=None)
    stranger = socket()
    assert refused(at.enter, stranger) == ("site_full", 503)
    for one in (*everyone, stranger):
        at.leave(one)
    assert (at._sockets, at._of, at._for_players) == (set(), {}, set())


def test_load_tests_can_turn_off_all_but_the_limit_for_all(settings):
    settings.LIMITS = False
    at = Door(100)
    fill(at, at.most_spectators, guest_id=7, address="192.0.2.1")
    assert refused(at.enter, socket()) == ("site_full", 503)


def test_opening_sockets_again_and_again_is_limited(monkeypatch):
    monkeypatch.setattr(limits, "OPENING_BY_ADDRESS", limits.Limit(rate=0, burst=3))
    at = Door(100)
    for _ in range(3):
        one = socket()
        at.enter(one)
        at.leave(one)
    assert refused(at.enter, socket()) == ("too_many", 429)
