"""A guest's devices: numbers, labels, last used, and signing them out."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.guests import device_links, devices
from games.guests.labels import BROWSERS, PROGRAM, SYSTEMS, Kind, kind_of, label_of
from games.matches import cleanup, identity, lookups, services
from games.matches.identity import Who
from games.models import Device, Guest
from tests.guests.people import PHONE, another_device, arrive, loaded, match_of, refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (
            "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0",
            "Firefox on Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
            "Edge on Windows",
        ),
        ("Mozilla/5.0 (SmartHub; SMART-TV) Strange/1.0", "A browser"),
        ("Mozilla/5.0 (X11; Linux x86_64) Strange/1.0", "A browser on Linux"),
        ("curl/8.5.0", "A program"),
        ("", "A program"),
        ("Mozilla/5.0 <script>" + "x" * 10_000 + "Firefox Android", "A browser"),
    ],
)
def test_a_device_is_called_by_names_we_know_and_never_by_what_it_sent(agent, label):
    assert str(label_of(Device(**kind_of(agent)._asdict()))) == label


def test_an_old_token_is_that_of_the_first_device():
    assert identity.who_from(identity._SIGNER.sign("77")) == Who(77, 0)
    assert identity.who_from(identity.token_for(77, 12)) == Who(77, 12)
    assert len(identity.token_for(2**62, 62)) <= identity.LONGEST_TOKEN
    # A version without devices would have taken neither for a guest's.
    for forged in (identity._SIGNER.sign("77-1"), identity._DEVICE_SIGNER.sign("77")):
        assert identity.who_from(forged) is None


def test_the_day_of_the_last_use_is_updated_once_a_day():
    guest = services.new_guest()
    match_of(guest)
    devices.write_down(guest, Kind())
    Device.objects.update(seen="2020-01-01")
    devices.saw(guest, PHONE)
    with CaptureQueriesContext(connection) as queries:
        devices.saw(guest, PHONE)
    assert len(queries) == 0
    (device,) = devices.of(guest)
    assert (device.number, device.seen) == (0, timezone.now().date())
    assert str(label_of(device)) == "Firefox on Android"


def test_nothing_is_stored_about_the_only_device_of_a_guest():
    guest = services.new_guest()
    match_of(guest)
    devices.saw(guest, PHONE)
    assert not Device.objects.exists()


def test_devices_that_were_never_written_down_are_listed_too():
    first = services.new_guest()
    match_of(first)
    second = another_device(first)
    guest = devices.stored_guest(second.who)
    assert [device.number for device in devices.of(guest)] == [1]
    listed = devices.of(guest, PHONE)
    assert {device.number for device in listed} == {0, 1}
    assert [device.number for device in devices.of(services.new_guest(), PHONE)] == [0]


def test_a_signed_out_device_plays_no_seat_and_its_number_is_never_used_again():
    guest = services.new_guest()
    match = match_of(guest, services.new_guest())
    second = another_device(guest)
    assert second.who == Who(guest.pk, 1)
    assert loaded(match).seats_of(second.who) == (1,)
    assert devices.sign_out(guest, 1) == 0b10
    assert loaded(match).seats_of(second.who) == ()
    assert loaded(match).seats_of(guest.who) == (1,)
    assert another_device(guest).device == 2
    assert refused(devices.sign_out, guest, 1) == "no_such_device"
    assert refused(devices.sign_out, guest, 7) == "no_such_device"


def test_a_signed_out_device_can_do_nothing_in_the_guests_name():
    guest = services.new_guest()
    match = match_of(guest)
    second = another_device(guest)
    devices.sign_out(guest, 1)
    acting = services.guest_with(*second.who)
    assert refused(match_of, acting) == "bad_token"
    assert refused(services.cancel_invitation, match_id=match.pk, guest=acting) == "no_such_match"
    assert refused(lookups.find_own, match.pk, "", second.who) == "no_such_match"
    assert refused(services.join_match, match_id=match.pk, guest=acting) == "bad_token"
    assert refused(devices.sign_out, acting, 0) == "bad_token"
    assert refused(devices.stored_guest, second.who) == "bad_token"
    match.refresh_from_db()
    assert (match.status, match.seat_2_id) == ("open", None)


def test_all_others_are_signed_out_at_once_with_the_links_that_would_add_one():
    first = services.new_guest()
    match_of(first)
    here, other = another_device(first), another_device(first)
    secret = device_links.new_link(first)
    assert devices.sign_out_others(here) == 0b101
    assert [device.number for device in devices.of(here)] == [1]
    assert refused(arrive, secret) == "wrong_link"
    assert refused(devices.stored_guest, other.who) == "bad_token"
    assert devices.stored_guest(here.who).device == 1


def test_a_guest_has_room_for_63_devices_in_a_lifetime():
    guest = services.new_guest()
    match_of(guest)
    for number in range(1, identity.MOST_DEVICES):
        assert another_device(guest).device == number
        devices.sign_out(guest, number)
    assert refused(another_device, guest) == "too_many_devices"
    assert loaded(match_of(guest)).seats_of(guest.who) == (1,)


def test_a_sweep_keeps_a_guest_whose_signed_out_tokens_could_come_back():
    guest = services.new_guest()
    match_of(guest)
    second = another_device(guest)
    devices.sign_out(guest, 1)
    Guest.objects.update(created=timezone.now() - timedelta(days=60))
    cleanup.sweep(timezone.now() + timedelta(days=90))
    assert refused(devices.stored_guest, second.who) == "bad_token"
    cleanup.sweep(timezone.now() + timedelta(days=500))
    assert not Guest.objects.exists()


def test_checking_a_device_needs_no_query_where_the_match_is_loaded():
    guest = services.new_guest()
    now = loaded(match_of(guest))
    with CaptureQueriesContext(connection) as queries:
        assert now.seats_of(guest.who) == (1,)
        assert now.seats_of(Who(guest.pk + 1)) == now.seats_of(None) == ()
    assert len(queries) == 0


def test_kinds_fit_into_their_columns():
    names = [PROGRAM, *(name for _, name in (*BROWSERS, *SYSTEMS))]
    assert max(map(len, names)) <= 20
    assert Kind() == ("", "")
