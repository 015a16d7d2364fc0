"""Links and recovery codes that make another device the same guest."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from games.guests import arrivals, device_links, devices, recovery, sweeping
from games.matches import services
from games.models import DeviceLink, Guest, RecoveryCode
from games.refusals import Refusal
from tests.guests.people import PHONE, another_device, arrive, loaded, match_of, refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def guest():
    made = services.new_guest()
    match_of(made)
    return made


def recover(typed, *, current=None, merge=None):
    who = current.who if current else None
    return arrivals.by_code(typed, current=who, merge=merge, kind=PHONE)


def test_a_link_makes_another_device_the_same_guest(guest):
    match = match_of(guest)
    arrived = arrive(device_links.new_link(guest))
    assert arrived.guest.who == (guest.pk, 1)
    assert arrived.old is None
    assert loaded(match).seats_of(arrived.guest.who) == (1,)


def test_a_link_is_used_once(guest):
    secret = device_links.new_link(guest)
    arrive(secret)
    assert refused(arrive, secret) == "used_link"


def test_a_link_is_valid_for_five_minutes(guest):
    secret = device_links.new_link(guest)
    left = DeviceLink.objects.get().expires - timezone.now()
    assert timedelta(minutes=4) < left <= timedelta(minutes=5)
    DeviceLink.objects.update(expires=timezone.now())
    assert refused(arrive, secret) == "expired_link"


@pytest.mark.parametrize("secret", ["", "x", "x" * 22, "x" * 10_000, "é\0"])
def test_a_wrong_link_is_refused(guest, secret):
    device_links.new_link(guest)
    assert refused(arrive, secret) == "wrong_link"


def test_only_hashes_of_secrets_are_stored(guest):
    secret, code = device_links.new_link(guest), recovery.new_code(guest)
    stored = [*DeviceLink.objects.values_list(), *RecoveryCode.objects.values_list()]
    assert secret not in str(stored)
    assert not set(code.split()) & set(str(stored).split())
    # 16 random bytes.
    assert len(secret) == 22


def test_the_oldest_link_is_replaced_when_there_are_too_many(guest):
    secrets = [device_links.new_link(guest) for _ in range(device_links.MOST_OPEN + 1)]
    assert DeviceLink.objects.count() == device_links.MOST_OPEN
    assert refused(arrive, secrets[0]) == "wrong_link"
    assert arrive(secrets[1]).guest.pk == guest.pk


def test_old_links_are_deleted_by_the_sweep(guest):
    for _ in range(3):
        device_links.new_link(guest)
    DeviceLink.objects.update(expires=timezone.now() - timedelta(hours=2))
    device_links.new_link(guest)
    assert list(sweeping.steps(timezone.now())) == [3]
    assert DeviceLink.objects.count() == 1


def test_if_two_devices_redeem_a_link_at_once_one_of_them_gets_it(guest):
    for _ in range(10):
        secret, barrier = device_links.new_link(guest), Barrier(2)

        def redeem(secret=secret, barrier=barrier):
            try:
                barrier.wait(timeout=10)
                return arrive(secret).guest.device
            except Refusal as refusal:
                return refusal.code
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            results = [future.result() for future in [pool.submit(redeem) for _ in range(2)]]
        assert sorted(map(type, results), key=str) == [int, str], results
        assert "used_link" in results


def test_a_device_that_is_already_this_guests_is_told_so_and_the_link_stays(guest):
    secret = device_links.new_link(guest)
    assert refused(arrive, secret, current=guest) == "same_guest"
    assert arrive(secret).guest.device == 1


def test_a_device_with_matches_is_asked_and_nothing_happens_before(guest):
    other = services.new_guest()
    match_of(other)
    match_of(other, same_device=True)
    secret = device_links.new_link(guest)
    with pytest.raises(Refusal) as asked:
        arrive(secret, current=other)
    assert (asked.value.code, asked.value.status) == ("has_guest", 409)
    assert asked.value.text.values == {
        "here": 2,
        "there": 1,
        "name": other.name,
        "other": guest.name,
    }
    assert devices.stored_guest(other.who).pk == other.pk
    assert arrive(secret, current=other, merge=False).guest.pk == guest.pk


def test_leaving_the_old_guest_behind_changes_nothing_about_them(guest):
    other = services.new_guest()
    match = match_of(other)
    arrived = arrive(device_links.new_link(guest), current=other, merge=False)
    assert arrived.old is None
    assert loaded(match).seats_of(other.who) == (1,)


@pytest.mark.parametrize("is_stored", [True, False])
def test_a_device_without_matches_is_not_asked(guest, is_stored):
    other = services.new_guest()
    if is_stored:
        recovery.new_code(other)
    assert arrive(device_links.new_link(guest), current=other).guest.pk == guest.pk


def test_a_device_that_was_signed_out_is_not_asked(guest):
    other = services.new_guest()
    match_of(other)
    there = another_device(other)
    devices.sign_out(other, there.device)
    assert arrive(device_links.new_link(guest), current=there).guest.pk == guest.pk


def test_the_words_are_short_common_and_far_from_each_other():
    words = recovery.word_list()
    assert len(set(words)) == len(words) == 512
    assert all(3 <= len(word) <= 8 and word.isascii() and word.islower() for word in words)
    for word in words:
        shorter = {word[:n] + word[n + 1 :] for n in range(len(word))}
        assert not shorter & set(words), word
    # No two differ in a single letter.
    patterns = [word[:n] + "?" + word[n + 1 :] for word in words for n in range(len(word))]
    assert len(set(patterns)) == len(patterns)


def test_a_code_has_at_least_60_random_bits():
    assert len(recovery.word_list()) ** recovery.WORDS >= 2**60


def test_a_code_brings_the_guest_back_however_it_is_typed(guest):
    words = recovery.new_code(guest).split()
    typed = [
        " ".join(words),
        "-".join(words).upper(),
        ", ".join(words) + ".",
        "\n".join(words).title(),
    ]
    for number, text in enumerate(typed, 1):
        assert recover(f"  {text} ").guest.who == (guest.pk, number)


def test_a_new_code_replaces_the_old_one_and_can_be_deleted(guest):
    first = recovery.new_code(guest)
    assert recovery.made_on(guest) == timezone.now().date()
    second = recovery.new_code(guest)
    assert refused(recover, first) == "wrong_code"
    assert recover(second).guest.pk == guest.pk
    recovery.delete_code(guest)
    assert refused(recover, second) == "wrong_code"
    assert recovery.made_on(guest) is None


@pytest.mark.parametrize("typed", ["", "apple", "apple " * 8, "apple " * 6 + "appel", "x" * 399])
def test_what_cannot_be_a_code_is_refused_with_the_reason_and_without_a_query(
    typed, django_assert_num_queries
):
    with django_assert_num_queries(0):
        assert refused(recover, typed) == "bad_code"


def test_codes_are_random(guest):
    codes = {recovery.new_code(guest) for _ in range(20)}
    assert len(codes) == 20
    assert Guest.objects.count() == 1
