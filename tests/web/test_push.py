"""The addresses for web push: who may subscribe, and what is refused."""

import http.cookies
import json
import urllib.request
from urllib.error import HTTPError

import pytest

from tests.guests.push_service import new_keys
from tests.live.client import call, get, new_guest, post

FCM = "https://fcm.googleapis.com/fcm/send/web-tests"
SUBSCRIPTION = {"endpoint": FCM, "keys": new_keys()[0]}


def delete(server, data, token=None):
    return call(server, "DELETE", "/api/me/push/", data, token)


def test_the_public_key_is_the_same_for_everyone(server):
    status, answer = get(server, "/api/push/")
    assert status == 200
    assert len(answer["key"]) == 87
    assert get(server, "/api/push/", new_guest(server)) == (200, answer)


def test_a_program_can_subscribe_renew_and_unsubscribe(server):
    token = new_guest(server)
    assert post(server, "/api/me/push/", SUBSCRIPTION, token) == (200, {})
    renewed = {**SUBSCRIPTION, "endpoint": FCM + "-2"}
    assert post(server, "/api/push/", {"old": FCM, **renewed}) == (200, {})
    status, answer = post(server, "/api/push/", {"old": FCM, **renewed})
    assert (status, answer["code"]) == (404, "no_such_subscription")
    assert delete(server, {"endpoint": FCM + "-2"}, token) == (200, {})
    assert delete(server, {"endpoint": FCM + "-2"}, token) == (200, {})


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "malformed"),
        ({"endpoint": FCM}, "malformed"),
        ({"endpoint": FCM, "keys": {"auth": "a"}}, "malformed"),
        ({"endpoint": 7, "keys": SUBSCRIPTION["keys"]}, "malformed"),
        ({"endpoint": FCM, "keys": {"p256dh": "a" * 101, "auth": "a"}}, "malformed"),
        ({"endpoint": FCM, "keys": {"p256dh": "a" * 87, "auth": "a" * 22}}, "bad_subscription"),
        ({**SUBSCRIPTION, "endpoint": "https://evil.example/a"}, "bad_subscription"),
        ({**SUBSCRIPTION, "endpoint": "http://169.254.169.254/latest"}, "bad_subscription"),
        ({**SUBSCRIPTION, "endpoint": "https://fcm.googleapis.com:8443/a"}, "bad_subscription"),
        ({**SUBSCRIPTION, "endpoint": FCM + "a" * 1000}, "malformed"),
    ],
)
def test_what_is_not_a_subscription_is_refused(server, data, code):
    status, answer = post(server, "/api/me/push/", data or {"no": 1}, new_guest(server))
    assert (status, answer["code"]) == (400, code)


def test_without_a_guest_nobody_can_subscribe(server):
    status, answer = post(server, "/api/me/push/", SUBSCRIPTION)
    assert (status, answer["code"]) == (401, "no_identity")
    status, answer = post(server, "/api/me/push/", SUBSCRIPTION, "1.2.3")
    assert (status, answer["code"]) == (401, "bad_token")
    assert delete(server, {"endpoint": FCM})[0] == 401


def test_a_browser_gets_what_it_needs_with_a_look_at_the_lobby(server):
    """A page without a form has no CSRF cookie, and the settings are on every page."""
    lobby = urllib.request.Request(f"{server.http}/", method="HEAD")
    with urllib.request.urlopen(lobby, timeout=10) as answer:
        cookies = http.cookies.SimpleCookie(answer.headers["Set-Cookie"])
    csrf = cookies["csrftoken"].value

    def subscribe(**headers):
        request = urllib.request.Request(
            f"{server.http}/api/me/push/",
            json.dumps({**SUBSCRIPTION, "endpoint": FCM + "-browser"}).encode(),
            {"Cookie": f"csrftoken={csrf}", "Content-Type": "application/json", **headers},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers["Set-Cookie"]

    status, cookie = subscribe(**{"X-CSRFToken": csrf})
    assert status == 200
    # Their first request that changes something makes them a guest.
    assert cookie.startswith("guest=")
    with pytest.raises(HTTPError) as refused:
        subscribe()
    with refused.value:
        assert refused.value.code == 401


def test_other_methods_are_refused(server):
    assert call(server, "GET", "/api/me/push/")[0] == 405
    assert call(server, "DELETE", "/api/push/", {})[0] == 405
