"""Refusals and errors: JSON below /api/, a page elsewhere, and in the log only what is ours."""

import json

import pytest
from django.db import OperationalError
from django.test import Client
from prometheus_client import REGISTRY

from games.matches import identity, limits, names
from games.models import Guest, Match
from games.refusals import Refusal
from games.sentences import PLAIN
from games.web import api, errors
from tests.live.client import call, new_guest

pytestmark = pytest.mark.usefixtures("collected_static")


@pytest.fixture
def client(client):
    client.raise_request_exception = False
    return client


def code_of(response):
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    answer = json.loads(response.content)
    assert set(answer) == {"code", "text", "template", "values"}
    return response.status_code, answer["code"]


@pytest.mark.parametrize("path", ["/api/", "/api/nothing/", "/api/matches", "/api/matches/x"])
@pytest.mark.parametrize("method", ["get", "post", "put", "options"])
def test_the_api_has_no_pages_for_unknown_addresses_or_missing_slashes(client, path, method):
    response = getattr(client, method)(path)
    assert code_of(response) == (404, "no_such_address")


def test_pages_without_their_slash_are_redirected(client):
    assert client.get("/watch")["Location"] == "/watch/"


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/guests/", "OPTIONS, POST"),
        ("/api/matches/", "GET, HEAD, OPTIONS, POST"),
        ("/api/matches/22222222/review/", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(client, path, methods):
    wrong, asked = client.delete(path), client.options(path)
    assert code_of(wrong) == (405, "bad_method")
    assert wrong["Allow"] == asked["Allow"] == methods
    assert (asked.status_code, asked.content) == (204, b"")


def test_head_is_get_without_a_body(server):
    assert call(server, "GET", "/api/matches/?open=1")[0] == 200
    with pytest.raises(json.JSONDecodeError):
        call(server, "HEAD", "/api/matches/?open=1")
    token = new_guest(server)
    for method in ("GET", "DELETE"):
        assert call(server, method, "/api/nothing/", token=token)[1]["code"] == "no_such_address"


def test_a_foreign_host_is_refused(client):
    assert code_of(client.get("/api/matches/", headers={"Host": "example.com"})) == (
        400,
        "bad_host",
    )
    page = client.get("/", headers={"Host": "example.com"})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


def test_a_body_that_is_too_large_is_refused(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    large = {"game": "x" * 200}
    response = client.post("/api/matches/", large, content_type="application/json")
    assert code_of(response) == (413, "too_large")
    form = client.post("/new/", "a" * 200, content_type="application/x-www-form-urlencoded")
    assert form.status_code == 413


def test_an_error_of_ours_is_json_with_its_traceback_in_the_log(client, monkeypatch, caplog):
    monkeypatch.setattr(api.list_matches, "first", lambda request: 1 / 0)
    assert code_of(client.get("/api/matches/?open=1")) == (500, "server_error")
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info[0] is ZeroDivisionError


@pytest.mark.parametrize(
    ("refusal", "seconds"),
    [
        (Refusal("too_many", PLAIN(text="x"), 429, 2.1), "3"),
        (Refusal("too_many", PLAIN(text="x"), 429, 0.001), "1"),
        (Refusal("too_many", PLAIN(text="x"), 429), "60"),
        (Refusal("busy", PLAIN(text="x"), 503), "2"),
        (Refusal("full", PLAIN(text="x"), 409), None),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/matches/"])
def test_whoever_has_to_wait_is_told_how_long(rf, refusal, seconds, path):
    assert errors.refused(rf.get(path), refusal).get("Retry-After") == seconds


@pytest.mark.django_db
def test_too_many_requests_say_how_long_to_wait(client, monkeypatch):
    monkeypatch.setattr(limits, "CREATING_BY_ADDRESS", limits.Limit(rate=0.1, burst=0))
    page = client.post("/new/", {"game": "chain-factor"})
    answer = client.post("/api/matches/", {"game": "chain-factor"}, content_type="application/json")
    assert (page.status_code, page["Retry-After"]) == (429, "10")
    assert code_of(answer) == (429, "too_many")
    assert answer["Retry-After"] == "10"


def refusals(code):
    return REGISTRY.get_sample_value("numgames_rejected_total", {"code": code}) or 0


@pytest.mark.django_db
def test_refusals_are_counted_and_not_logged(client, caplog):
    before = {code: refusals(code) for code in ("no_identity", "bad_host", "too_large", "bad_name")}
    Client(enforce_csrf_checks=True).post("/new/", {"game": "chain-factor"})
    client.get("/", headers={"Host": "example.com"})
    client.get("/api/matches/?" + "a=1&" * 1100)
    client.post("/new/", {"game": "chain-factor"})
    client.post(f"/m/{Match.objects.get().pk}/join/", {"name": "\0"})
    assert {code: refusals(code) - count for code, count in before.items()} == {
        "no_identity": 1,
        "bad_host": 1,
        "too_large": 1,
        "bad_name": 1,
    }
    assert [one for one in caplog.records if one.levelname != "INFO"] == []


def test_while_the_database_is_away_the_answer_is_503(client, monkeypatch, caplog):
    def fail(*_):
        raise OperationalError("gone")

    monkeypatch.setattr(api.list_matches, "first", fail)
    response = client.get("/api/matches/?open=1")
    assert code_of(response) == (503, "unavailable")
    assert response["Retry-After"] == "2"
    assert [one.getMessage() for one in caplog.records] == ["The database is away: gone"]


@pytest.mark.django_db
def test_a_browser_that_is_refused_stays_the_same_guest(client):
    client.post("/new/", {"game": "chain-factor"})
    path = f"/m/{Match.objects.get().pk}/join/"
    stranger, seen = Client(), set()
    for _ in range(3):
        assert stranger.post(path, {"name": "x" * (names.LONGEST + 1)}).status_code == 400
        seen.add(identity.guest_id_from(stranger.cookies[identity.COOKIE].value))
    assert len(seen) == 1
    assert Guest.objects.count() == 1


@pytest.mark.django_db
def test_a_name_of_spaces_in_the_form_is_no_name(client):
    client.post("/new/", {"game": "chain-factor", "starts": "me"})
    match = Match.objects.get()
    assert Client().post(f"/m/{match.pk}/join/", {"name": "  "}).status_code == 302
    match.refresh_from_db()
    assert (match.status, match.name_2) == ("live", "")
