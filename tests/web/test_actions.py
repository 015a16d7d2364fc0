"""What pages and API share."""

import ast
import json
from pathlib import Path

import pytest
from django.test import Client

from games.matches import identity, limits, proofs, services
from games.models import Guest
from games.web import actions
from tests.live.client import proof_for

pytestmark = pytest.mark.usefixtures("collected_static")

WEB = Path(actions.__file__).parent


@pytest.fixture
def told(monkeypatch):
    """The ids of the matches that the live process was notified of."""
    ids = []
    monkeypatch.setattr(actions, "notify", lambda request, match_id: ids.append(match_id))
    return ids


def token():
    return f"Bearer {identity.token_for(services.new_guest().pk)}"


def post(path, data, bearer):
    return Client().post(
        path, data, content_type="application/json", headers={"Authorization": bearer}
    )


@pytest.mark.django_db
def test_pages_and_api_notify_the_live_process_of_the_same_changes(client, told):
    page = client.post("/new/", {"game": "chain-factor"})["Location"]
    first = page.split("/")[2]
    client.post(f"{page}cancel/")
    maker = token()
    second = post("/api/matches/", {"game": "chain-factor"}, maker).json()["id"]
    assert post(f"/api/matches/{second.upper()}/join/", {}, token()).json() in (
        {"seat": 1},
        {"seat": 2},
    )
    assert post(f"/api/matches/{second}/cancel/", {}, maker).json()["code"] == "not_open"
    assert told == [first, first, second, second]


@pytest.mark.django_db
def test_every_address_of_a_match_counts_wrong_links(client):
    """The limit allows sixty in a row, over all addresses together."""
    bearer = token()
    doors = (
        lambda: client.get("/m/22222222/"),
        lambda: client.get("/m/22222222/0.png"),
        lambda: client.get("/api/matches/22222222/"),
        lambda: client.post("/m/22222222/join/"),
        lambda: client.post("/m/22222222/cancel/"),
        lambda: post("/api/matches/22222222/cancel/", {}, bearer),
        lambda: client.get("/api/matches/x/review/"),
    )
    assert {door().status_code for door in doors} == {404}
    for _ in range(70):
        client.get("/api/matches/x/")
    assert {door().status_code for door in doors} == {429}


def ask_for_token(**given):
    headers = given.pop("headers", {})
    return Client().post("/api/guests/", given, content_type="application/json", headers=headers)


@pytest.mark.django_db
def test_asking_for_a_token_stores_nothing():
    made = ask_for_token().json()
    guest_id = identity.guest_id_from(made["token"])
    assert services.guest_with(guest_id).name == made["name"]
    assert not Guest.objects.exists()
    post("/api/matches/", {"game": "chain-factor"}, f"Bearer {made['token']}")
    assert Guest.objects.get().name == made["name"]


@pytest.mark.django_db
def test_above_the_limit_a_token_costs_a_proof(monkeypatch):
    monkeypatch.setattr(proofs, "BITS", 8)
    statuses = [ask_for_token().status_code for _ in range(121)]
    assert statuses == [201] * 120 + [429]
    asked = ask_for_token().json()
    assert asked["code"] == "proof_needed"
    proof = proof_for(asked["challenge"], asked["bits"])
    given = {"challenge": asked["challenge"], "proof": proof}
    assert ask_for_token(**given).status_code == 201
    refused = ask_for_token(**given)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_proof")
    too_long = ask_for_token(challenge="x" * 201, proof="")
    assert (too_long.status_code, too_long.json()["code"]) == (400, "malformed")


@pytest.mark.django_db
def test_browsers_become_guests_however_many_tokens_their_network_asked_for():
    while limits.TOKENS_BY_ADDRESS.allows("127.0.0.1"):
        pass
    for _ in range(30):
        assert Client().post("/new/", {"game": "chain-factor"}).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 201),
        ({}, 201),
    ],
)
def test_another_sites_page_gets_no_token_and_uses_up_none(headers, status):
    assert ask_for_token(headers=headers).status_code == status
    assert bool(limits.TOKENS_BY_ADDRESS.buckets) == (status == 201)


@pytest.mark.django_db
def test_another_sites_page_cannot_use_up_a_networks_limits(client):
    """A form on another site is sent without our cookies and without a CSRF token."""
    match_id = client.post("/new/", {"game": "chain-factor"})["Location"].split("/")[2]
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            limit.buckets.clear()
    foreign = Client(enforce_csrf_checks=True, headers={"Origin": "https://evil.example"})
    for path in ("/new/", "/api/matches/", f"/m/{match_id}/join/", "/api/matches/x/join/"):
        answer = foreign.post(path, '{"game": "chain-factor"}', content_type="text/plain")
        assert answer.status_code in (401, 403)
    used = [
        limit
        for limit in vars(limits).values()
        if isinstance(limit, limits.Limit) and limit.buckets
    ]
    assert used == []
    assert Guest.objects.count() == 1


@pytest.mark.django_db
def test_a_refusal_from_the_api_can_be_translated(client):
    answer = json.loads(client.get("/api/matches/22222222/").content)
    assert answer["code"] == "no_such_match"
    assert answer["template"].format(**answer["values"]) == answer["text"]


def imported_by(module):
    for node in ast.walk(ast.parse((WEB / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_pages_and_api_do_not_import_each_other():
    assert "games.web.views" not in set(imported_by("api"))
    assert "games.web.api" not in set(imported_by("views"))


def test_only_one_web_module_imports_the_live_process():
    knowing = {
        path.stem
        for path in WEB.glob("*.py")
        if {"games.live.process", "games.live.hub"} & set(imported_by(path.stem))
    }
    assert knowing == {"actions"}
