"""Two guests of one person become one, and both histories are kept."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from games.guests import belongings, device_links, devices, leaving, recovery, sweeping
from games.matches import cleanup, identity, rematches, selectors, services
from games.models import Device, FormerToken, Guest, Match
from tests.guests.people import (
    another_device,
    arrive,
    loaded,
    match_of,
    play,
    refused,
    resign,
)

pytestmark = pytest.mark.django_db(transaction=True)


def merge(old, into):
    """Merge the guest of this device into another; return them on this device."""
    arrived = arrive(device_links.new_link(into), current=old, merge=True)
    assert arrived.old == old
    finish(old)
    return arrived.guest


def finish(old):
    return [match_id for ids in leaving.steps(old) for match_id in ids]


@pytest.fixture
def two():
    made = services.new_guest(), services.new_guest()
    for one in made:
        match_of(one)
    return made


def test_both_histories_are_kept(two):
    old, into = two
    friend = services.new_guest()
    finished, live = match_of(old, friend), match_of(friend, old)
    resign(finished, 1)
    play(live, 6)
    now = merge(old, into)
    assert now.who == (into.pk, 1)
    assert set(Match.objects.filter(seat_1=into.pk)) > {finished}
    assert loaded(live).seats_of(now.who) == (2,)
    assert loaded(live).row.seat_1_id == friend.pk
    assert not Guest.objects.filter(pk=old.pk).exists()
    play(live, 3)
    assert loaded(live).version == 2


def test_many_matches_are_moved_in_small_steps(two, monkeypatch):
    old, into = two
    monkeypatch.setattr("games.guests.merging.MOVED_AT_ONCE", 3)
    live = [match_of(old, services.new_guest()) for _ in range(5)]
    arrived = arrive(device_links.new_link(into), current=old, merge=True)
    steps = [len(ids) for ids in leaving.steps(arrived.old)]
    assert steps == [3, 3]
    assert all(loaded(match).seats_of(arrived.guest.who) == (1,) for match in live)


def test_a_match_against_oneself_goes_on_with_both_seats(two):
    old, into = two
    match = match_of(old, into)
    play(match, 6)
    now = merge(old, into)
    assert loaded(match).seats_of(now.who) == (1, 2)
    play(match, 3)
    resign(match, 1)
    rematches.offer_rematch(match_id=match.pk, seat=1, network="")
    match.refresh_from_db()
    assert loaded(match.rematch).seats_of(now.who) == (1, 2)
    assert selectors.wins_before(match.rematch) == (1, 0)


def test_every_device_of_the_old_guest_becomes_one_of_the_new_one(two):
    old, into = two
    tablet = another_device(old)
    devices.write_down(into, devices.Kind("Chrome", "Android"))
    now = merge(tablet, into)
    assert {device.number for device in devices.of(into)} == {0, now.device, 2}
    # The device that had the token of the old guest finds out when it acts.
    first = devices.moved_to(old.who)
    assert first.who == (into.pk, 2)
    assert devices.moved_to(tablet.who).who == now.who
    assert refused(match_of, services.guest_with(*old.who)) == "bad_token"
    assert refused(devices.stored_guest, old.who) == "bad_token"


def test_a_token_leads_to_the_right_guest_after_two_merges(two):
    old, into = two
    last = services.new_guest()
    match_of(last)
    now = merge(merge(old, into), last)
    assert devices.moved_to(old.who).who == now.who
    assert devices.moved_to(into.who).pk == last.pk


def test_a_device_that_is_signed_out_after_a_merge_cannot_use_its_old_token(two):
    old, into = two
    now = merge(old, into)
    devices.sign_out(into, now.device)
    assert devices.moved_to(old.who) is None
    assert refused(match_of, services.guest_with(*old.who)) == "bad_token"


def test_devices_that_were_signed_out_stay_signed_out(two):
    old, into = two
    stolen = another_device(old)
    devices.sign_out(old, stolen.device)
    merge(old, into)
    assert devices.moved_to(stolen.who) is None
    assert refused(match_of, services.guest_with(*stolen.who)) == "bad_token"


def test_the_recovery_codes_of_both_bring_back_the_one(two):
    old, into = two
    codes = [recovery.new_code(guest) for guest in two]
    merge(old, into)
    assert [recovery.guest_with_code(code).pk for code in codes] == [into.pk] * 2


def test_a_guest_who_is_being_merged_can_do_nothing_meanwhile(two):
    old, into = two
    arrive(device_links.new_link(into), current=old, merge=True)
    assert refused(match_of, old) == "bad_token"
    assert refused(leaving.begin, old) == "bad_token"


def test_the_sweep_finishes_a_merge_that_was_interrupted(two):
    old, into = two
    match = match_of(old, services.new_guest())
    now = arrive(device_links.new_link(into), current=old, merge=True).guest
    assert loaded(match).row.seat_1_id == old.pk
    assert sum(1 for _ in sweeping.steps(timezone.now())) == 0
    later = timezone.now() + timedelta(minutes=11)
    assert sum(sweeping.steps(later)) > 0
    assert loaded(match).seats_of(now.who) == (1,)
    assert not Guest.objects.filter(pk=old.pk).exists()


def test_a_merge_that_was_interrupted_survives_the_next_merge(two):
    old, into = two
    last = services.new_guest()
    match_of(last)
    match = match_of(old, services.new_guest())
    now = arrive(device_links.new_link(into), current=old, merge=True).guest
    merge(now, last)
    finish(old)
    assert loaded(match).row.seat_1_id == last.pk


def test_guests_without_room_for_the_devices_are_not_merged(two):
    old, into = two
    tablet = another_device(old)
    Guest.objects.filter(pk=into.pk).update(signed_out=1 << (identity.MOST_DEVICES - 2))
    secret = device_links.new_link(into)
    assert refused(arrive, secret, current=tablet, merge=True) == "too_many_devices"
    # Nothing has happened, and the link is still good.
    assert devices.stored_guest(tablet.who).pk == old.pk
    assert arrive(secret).guest.pk == into.pk


def test_moves_made_during_a_merge_are_kept(two):
    """Both players move while the matches of one of them are being moved."""
    old, into = two
    friend = services.new_guest()
    matches = [match_of(old, friend) for _ in range(20)]
    arrived = arrive(device_links.new_link(into), current=old, merge=True)

    def move():
        try:
            for match in matches:
                play(match, 6, 3)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        moving = pool.submit(move)
        finish(arrived.old)
        moving.result()
    for match in matches:
        now = loaded(match)
        assert (now.version, now.seats_of(arrived.guest.who)) == (2, (1,))


def test_merging_twice_at_once_in_both_directions_ends(two):
    one, other = two
    secrets = device_links.new_link(other), device_links.new_link(one)

    def run(secret, current):
        try:
            return refused(arrive, secret, current=current, merge=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, secrets, two))
    assert results.count(None) >= 1, results
    for guest in list(Guest.objects.all()):
        finish(guest)
    assert Guest.objects.count() == 1
    assert Match.objects.filter(seat_1=Guest.objects.get()).count() == 2


def test_expired_tokens_of_guests_who_are_gone_are_deleted(two):
    merge(*two)
    assert devices.delete_expired_tokens() == 0
    FormerToken.objects.update(since=timezone.now().date() - timedelta(days=401))
    assert devices.delete_expired_tokens() > 0
    assert not FormerToken.objects.exists()


def test_a_kept_history_stays_kept(two):
    old, into = two
    match = match_of(old, services.new_guest())
    play(match, 6)
    resign(match, 2)
    cleanup.sweep(timezone.now() + timedelta(days=1))
    assert Guest.objects.get(pk=old.pk).kept
    merge(old, into)
    assert Guest.objects.get(pk=into.pk).kept


def test_every_table_with_a_key_to_a_guest_says_what_a_merge_does_with_it():
    tables = {
        model
        for model in apps.get_app_config("games").get_models()
        if any(field.related_model is Guest for field in model._meta.fields)
    }
    assert tables == {
        *belongings.HANDED_OVER,
        *belongings.ELSEWHERE,
        *belongings.TOGETHER,
    }
    assert Device in tables
