"""Forget me: everything about a guest goes, and opponents keep their matches."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from games.guests import device_links, devices, leaving, recovery, sweeping
from games.live import lobby, presence, protocol
from games.live.presence import Presence
from games.matches import cleanup, rematches, selectors, services
from games.matches.action_log import Conflict
from games.models import FormerToken, Guest, Match
from games.thinking import reviews
from tests.guests.people import another_device, arrive, loaded, match_of, play, refused, resign

pytestmark = pytest.mark.django_db(transaction=True)


def forget(guest):
    return [match_id for ids in leaving.steps(leaving.begin(guest)) for match_id in ids]


@pytest.fixture
def friend():
    return services.new_guest()


def test_the_opponent_wins_what_is_being_played_and_keeps_it(friend):
    guest = services.new_guest()
    live = match_of(guest, friend, name="Grace")
    play(live, 6)
    assert forget(guest) == [live.pk]
    now = loaded(live)
    assert (now.outcome.winner, now.outcome.code, now.version) == (2, "resign", 2)
    assert (now.row.status, now.row.winner) == ("finished", 2)
    assert (now.row.seat_1_id, now.row.name_1) == (None, "")
    assert now.seats_of(friend.who) == (2,)


def test_nothing_is_left_of_a_guest(friend):
    guest = services.new_guest()
    match_of(guest, name="Grace")
    match_of(guest, friend, name="Grace")
    match_of(guest, computer="casual")
    match_of(guest, same_device=True)
    secret, code = device_links.new_link(guest), recovery.new_code(guest)
    another_device(guest)
    devices.write_down(guest, devices.Kind("Firefox", "Android"))
    forget(guest)
    for model in apps.get_app_config("games").get_models():
        if model is not FormerToken:
            rows = list(model.objects.values_list())
            assert str(guest.pk) not in str(rows)
            assert "Grace" not in str(rows)
    assert Match.objects.count() == 4
    assert refused(arrive, secret) == "wrong_link"
    assert refused(recovery.guest_with_code, code) == "wrong_code"


def test_no_token_of_a_forgotten_guest_brings_them_back(friend):
    guest = services.new_guest()
    match_of(guest, friend)
    phone = another_device(guest)
    forget(phone)
    for who in (guest.who, phone.who):
        assert refused(match_of, services.guest_with(*who)) == "bad_token"
        assert refused(devices.stored_guest, who) == "bad_token"
        assert devices.moved_to(who) is None
    assert not Guest.objects.filter(pk=guest.pk).exists()


def test_a_guest_without_a_row_can_be_forgotten():
    forget(services.new_guest())
    assert not Guest.objects.exists()


def test_open_invitations_are_cancelled():
    guest = services.new_guest()
    match = match_of(guest, listed=True)
    assert forget(guest) == [match.pk]
    row = loaded(match).row
    assert (row.status, row.seat_1_id, row.started) == ("cancelled", None, None)
    assert protocol.snapshot(loaded(match))["players"] == {"1": None, "2": None}


def test_a_former_player_is_shown_as_one_everywhere(friend):
    guest = services.new_guest()
    match = match_of(guest, friend, listed=True)
    play(match, 6, 3)
    forget(guest)
    now = loaded(match)
    shown = protocol.snapshot(now)["players"]
    assert shown["1"] == {"name": "A former player", "former": True}
    assert shown["2"] == {"name": friend.name}
    assert lobby.live_entry(now, 0)["players"] == {"2": {"name": friend.name}}
    said = presence.message(now, Presence(since=0.0), 0, True, 100.0)
    assert (said["players"]["1"], said["claim"]) == (None, None)
    assert presence.steady_until(now, Presence(since=0.0), said, 100.0) is not None
    assert not now.has_computer
    assert reviews.finished(match.pk).version == 3


def test_a_rematch_with_a_former_player_is_refused(friend):
    guest = services.new_guest()
    match = match_of(guest, friend)
    resign(match, 1)
    rematches.offer_rematch(match_id=match.pk, seat=1, network="")
    forget(guest)
    assert refused(rematches.offer_rematch, match_id=match.pk, seat=2, network="") == "no_opponent"
    match.refresh_from_db()
    assert (match.rematch_offer, match.rematch_id) == (0, None)


def test_a_rematch_that_began_before_ends_too(friend):
    guest = services.new_guest()
    match = match_of(guest, friend)
    resign(match, 2)
    for seat in (1, 2):
        rematches.offer_rematch(match_id=match.pk, seat=seat, network="")
    match.refresh_from_db()
    forget(guest)
    assert loaded(match.rematch).outcome.winner == 1
    assert selectors.wins_before(loaded(match.rematch).row) == (0, 1)


def test_sweeps_keep_a_match_whose_player_has_moved_and_left(friend):
    guest = services.new_guest()
    match, unused = match_of(guest, friend), match_of(guest, computer="casual")
    play(match, 6)
    forget(guest)
    cleanup.sweep(timezone.now() + timedelta(days=100))
    assert loaded(match).row.kept
    assert not Match.objects.filter(pk=unused.pk).exists()


def test_a_match_on_which_both_have_left_is_still_there(friend):
    guest = services.new_guest()
    match = match_of(guest, friend)
    play(match, 6)
    forget(guest)
    forget(friend)
    players = protocol.snapshot(loaded(match))["players"]
    assert [player["former"] for player in players.values()] == [True, True]
    assert selectors.overdue_computer_turns(timezone.now().timestamp() + 60) == ([], 0)


def test_the_opponent_can_move_until_the_very_end(friend):
    """Everyone moves as fast as they can while one guest leaves: each match has one ending."""
    guest = services.new_guest()
    matches = [match_of(friend, guest) for _ in range(15)]

    def move():
        try:
            for match in matches:
                # If somebody was first, the version is taken.
                with suppress(Conflict):
                    refused(play, match, 6)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        moving = [pool.submit(move) for _ in range(2)]
        forget(guest)
        for one in moving:
            one.result()
    for match in matches:
        now = loaded(match)
        assert (now.row.status, now.row.winner) == ("finished", 1)
        assert [action.version for action in now.actions] == list(range(1, now.version + 1))
        assert [action.decision for action in now.actions].count("resign") == 1


def test_nothing_new_can_begin_in_the_name_of_a_guest_who_leaves(friend):
    guest = services.new_guest()
    match_of(guest)
    leaving.begin(guest)
    assert refused(match_of, guest) == "bad_token"
    assert refused(device_links.new_link, guest) == "bad_token"


def test_the_sweep_finishes_what_was_interrupted(friend):
    guest = services.new_guest()
    match = match_of(guest, friend)
    leaving.begin(guest)
    assert list(sweeping.steps(timezone.now())) == []
    list(sweeping.steps(timezone.now() + timedelta(minutes=11)))
    assert loaded(match).outcome.winner == 2
    assert not Guest.objects.filter(pk=guest.pk).exists()


def test_many_matches_are_cut_loose_in_small_steps(friend, monkeypatch):
    monkeypatch.setattr(leaving, "CUT_AT_ONCE", 4)
    guest = services.new_guest()
    for _ in range(9):
        resign(match_of(guest, friend), 2)
    stored = leaving.begin(guest)
    assert list(leaving.steps(stored)) == [[]] * 3
    assert Match.objects.filter(seat_1=None, winner=1).count() == 9
