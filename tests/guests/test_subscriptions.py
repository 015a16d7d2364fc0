"""Subscriptions to web push: checked, limited, and stored for one guest each."""

import base64

import pytest
from django.test import override_settings

from games.guests import endpoints, subscriptions
from games.matches import services
from games.models import Guest, PushSubscription
from games.refusals import Refusal
from tests.guests.push_service import new_keys

FCM = "https://fcm.googleapis.com/fcm/send/abc:def"
KEYS = new_keys()[0]


def subscribe(guest, endpoint=FCM, language="en", **keys):
    subscriptions.subscribe(guest, endpoint, language=language, **{**KEYS, **keys})


@pytest.fixture
def guest(db):
    return services.new_guest()


# --- Endpoints ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endpoint",
    [
        FCM,
        "https://fcm.googleapis.com/wp/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA-_",
        "https://web.push.apple.com/QAbc",
        "https://wns2-by3p.notify.windows.com/w/?token=BQYAAA%2bb%3d",
        "https://fcm.googleapis.com:443/fcm/send/abc",
    ],
)
def test_the_browsers_own_push_services_are_known(endpoint):
    assert endpoints.is_known(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "fcm.googleapis.com/a",
        "http://fcm.googleapis.com/a",
        "ftp://fcm.googleapis.com/a",
        "https://fcm.googleapis.com:8443/a",
        "https://fcm.googleapis.com:0/a",
        "https://fcm.googleapis.com:99999/a",
        "https://fcm.googleapis.com",
        "https://someone@fcm.googleapis.com/a",
        "https://fcm.googleapis.com@evil.example/a",
        "https://:@fcm.googleapis.com/a",
        "https://evil.example/a",
        "https://fcm.googleapis.com.evil.example/a",
        "https://evilfcm.googleapis.com/a",
        "https://fcm.googleapis.com./a",
        "https://evil.example/fcm.googleapis.com",
        "https://evil.example\\.fcm.googleapis.com/a",
        "https://evil.example#.fcm.googleapis.com/a",
        "https://127.0.0.1/a",
        "https://[::1]/a",
        "https://169.254.169.254/latest/",
        "https://localhost/a",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/\n",
        "https://fcm.googleapis.com/\x00",
        "https://fcm.googleapis.com/ü",
        "https://[fcm.googleapis.com/a",
        "https://fcm.googleapis.com/" + "a" * 1000,
    ],
)
def test_nothing_else_is(endpoint):
    assert not endpoints.is_known(endpoint)


def test_the_test_service_is_known_only_if_the_setting_names_it():
    local = "http://127.0.0.1:8123/push/1"
    assert not endpoints.is_known(local)
    with override_settings(PUSH_TEST_SERVICE="http://127.0.0.1:8123"):
        assert endpoints.is_known(local)
        assert not endpoints.is_known("http://127.0.0.1:81234/push/1")
        assert not endpoints.is_known("http://127.0.0.1:8124/push/1")


@pytest.mark.parametrize("address", ["142.250.1.95", "2a00:1450:4001:80b::200a", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_are_public(address):
    assert endpoints.is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2002:a00:1::"),
        *("64:ff9b::7f00:1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
        *("", "localhost", "1.2.3", "٤.٤.٤.٤"),
    ],
)
def test_all_others_are_not(address):
    assert not endpoints.is_public(address)


# --- Storing ------------------------------------------------------------------------------------


def test_a_subscription_is_stored_and_stores_its_guest(guest):
    subscribe(guest, language="de")
    assert Guest.objects.get(pk=guest.pk).name == guest.name
    (stored,) = subscriptions.subscriptions_of([guest.pk, 7])[guest.pk]
    assert (stored.endpoint, stored.language, stored.failures) == (FCM, "de", 0)


def test_a_browser_has_one_subscription_and_it_belongs_to_the_guest_who_used_it_last(guest):
    subscribe(guest)
    subscribe(guest, language="de")
    assert PushSubscription.objects.get().language == "de"
    other = services.new_guest()
    subscribe(other)
    assert PushSubscription.objects.get().guest_id == other.pk


def test_a_guest_has_ten_at_most_and_the_oldest_is_replaced(guest):
    for number in range(12):
        subscribe(guest, f"{FCM}{number}")
    kept = {row.endpoint for row in PushSubscription.objects.all()}
    assert kept == {f"{FCM}{number}" for number in range(2, 12)}


def test_only_its_guest_can_end_a_subscription(guest):
    subscribe(guest)
    subscriptions.unsubscribe(services.new_guest().pk, FCM)
    assert PushSubscription.objects.exists()
    subscriptions.unsubscribe(guest.pk, FCM)
    subscriptions.unsubscribe(guest.pk, FCM)
    assert not PushSubscription.objects.exists()


def base64url(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


POINT = base64.urlsafe_b64decode(KEYS["p256dh"] + "=")


@pytest.mark.parametrize(
    "bad",
    [
        {"endpoint": "https://evil.example/"},
        {"auth": ""},
        {"auth": base64url(b"a" * 15)},
        {"auth": base64url(b"a" * 17)},
        {"auth": base64url(b"a" * 16) + "=="},
        {"auth": "!" * 22},
        {"auth": "ä" * 22},
        # The last character has bits that belong to no byte.
        {"auth": base64url(b"a" * 16)[:-1] + "R"},
        {"p256dh": ""},
        {"p256dh": base64url(POINT[:-1])},
        {"p256dh": base64url(b"\x02" + POINT[1:])},
        {"p256dh": base64url(b"\x04" + b"a" * 64)},
    ],
)
def test_what_cannot_be_a_subscription_is_refused(bad, guest):
    with pytest.raises(Refusal) as refused:
        subscribe(guest, **bad)
    assert refused.value.code == "bad_subscription"
    assert not PushSubscription.objects.exists()
    assert not Guest.objects.exists()


def test_a_renewed_subscription_replaces_the_old_one(guest):
    subscribe(guest)
    subscriptions.failed(PushSubscription.objects.get().pk)
    subscriptions.replace(FCM, FCM + "2", **KEYS)
    stored = PushSubscription.objects.get()
    assert (stored.guest_id, stored.endpoint, stored.failures) == (guest.pk, FCM + "2", 0)
    with pytest.raises(Refusal) as refused:
        subscriptions.replace(FCM, FCM + "3", **KEYS)
    assert refused.value.code == "no_such_subscription"


def test_failures_in_a_row_end_a_subscription(guest):
    subscribe(guest)
    key = PushSubscription.objects.get().pk
    for _ in range(9):
        subscriptions.failed(key)
    subscriptions.taken(key)
    for _ in range(9):
        subscriptions.failed(key)
    assert PushSubscription.objects.get().failures == 9
    subscriptions.failed(key)
    assert not PushSubscription.objects.exists()


def test_a_subscription_that_is_gone_is_deleted_and_so_are_those_of_a_deleted_guest(guest):
    subscribe(guest)
    subscribe(guest, FCM + "2")
    subscriptions.gone(PushSubscription.objects.get(endpoint=FCM).pk)
    assert PushSubscription.objects.get().endpoint == FCM + "2"
    Guest.objects.get(pk=guest.pk).delete()
    assert not PushSubscription.objects.exists()


def test_all_subscriptions_of_a_guest_can_be_ended(guest):
    other = services.new_guest()
    for name, owner in (("1", guest), ("2", guest), ("3", other)):
        subscribe(owner, FCM + name)
    subscriptions.end_all(guest.pk)
    assert PushSubscription.objects.get().guest_id == other.pk


def test_the_usual_port_is_not_part_of_a_services_name():
    assert endpoints.origin_of("https://a.example:443/b") == "https://a.example"
    assert endpoints.origin_of("http://127.0.0.1:8123/b") == "http://127.0.0.1:8123"


def test_merging_moves_subscriptions_and_the_download_has_no_secrets(guest):
    other = services.new_guest()
    subscribe(guest)
    subscribe(other, FCM + "2")
    subscriptions.merge(guest.pk, other.pk)
    shown = subscriptions.export(guest.pk)
    assert [one["service"] for one in shown] == ["https://fcm.googleapis.com"] * 2
    assert "abc:def" not in str(shown)
    assert subscriptions.export(other.pk) == []


def test_the_public_key_belongs_to_the_private_one(settings):
    from py_vapid import Vapid02

    signed = Vapid02.from_raw(settings.PUSH_KEY.encode()).sign(
        {"aud": "https://a.example", "sub": "mailto:a@b.example"}
    )
    assert signed["Authorization"].endswith(f",k={subscriptions.public_key()}")
    assert Vapid02.verify(signed["Authorization"])
