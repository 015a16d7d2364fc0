"""What pages and API share."""

import ast
import json
from pathlib import Path

import pytest
from django.test import Client

from games.matches import identity, services
from games.web import actions

pytestmark = pytest.mark.usefixtures("collected_static")

WEB = Path(actions.__file__).parent


@pytest.fixture
def told(monkeypatch):
    """The ids of the matches that the live process was notified of."""
    ids = []
    monkeypatch.setattr(actions, "notify", lambda request, match_id: ids.append(match_id))
    return ids


def token():
    return f"Bearer {identity.token_for(services.create_guest().pk)}"


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
def test_the_live_process_is_notified_of_the_invitation_that_leaves_the_list(client, told):
    maker, settings = token(), {"game": "chain-factor", "listed": True}
    first = post("/api/matches/", settings, maker).json()["id"]
    second = post("/api/matches/", settings, maker).json()["id"]
    assert told == [first, second, first]
    pages = [
        client.post("/new/", {"game": "chain-factor", "listed": "on"})["Location"].split("/")[2]
        for _ in range(2)
    ]
    assert told[3:] == [pages[0], pages[1], pages[0]]


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
