"""`/api/me/`: a guest's own name."""

import json

import pytest
from django.test import Client

from games.guests import profile
from games.matches import identity, limits, services
from games.models import Guest
from games.web import actions

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("collected_static")]


@pytest.fixture
def told(monkeypatch):
    """The ids of the guests that the live process was notified of."""
    ids = []
    monkeypatch.setattr(actions, "notify_of_guest", lambda request, guest_id: ids.append(guest_id))
    return ids


class Program:
    """A program with a guest's token."""

    def __init__(self, guest=None):
        self.guest = guest or services.new_guest()
        self.headers = {"Authorization": f"Bearer {identity.token_for(self.guest.pk)}"}

    def get(self):
        return Client().get("/api/me/", headers=self.headers)

    def patch(self, data):
        body = data if isinstance(data, str) else json.dumps(data)
        return Client().patch(
            "/api/me/", body, content_type="application/json", headers=self.headers
        )

    def post(self, path, data):
        return Client().post(path, data, content_type="application/json", headers=self.headers)


def test_a_guest_reads_and_changes_their_name(told):
    program = Program()
    generated = program.guest.name
    assert program.get().json() == {"name": generated, "generated": generated, "record": {}}
    assert not Guest.objects.exists()
    answer = program.patch({"name": " Ada 👩🏽\u200d🚀 "})
    assert answer.json() == {"name": "Ada 👩🏽\u200d🚀", "generated": generated, "record": {}}
    assert program.get().json() == answer.json()
    assert program.patch({"name": ""}).json()["name"] == generated
    assert told == [program.guest.pk] * 2


def test_the_answers_are_not_stored_anywhere():
    program = Program()
    for answer in (program.get(), program.patch({"name": "Ada"}), Client().get("/api/me/")):
        assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["get", "patch"])
def test_without_a_guest_or_with_a_bad_token_it_is_refused(method):
    def ask(client, **headers):
        data = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
        answer = getattr(client, method)("/api/me/", headers=headers, **data)
        return answer.status_code, answer.json()["code"]

    client = Client(enforce_csrf_checks=True)
    assert ask(client) == (401, "no_identity")
    assert ask(client, Authorization="Bearer 1.2.3") == (401, "bad_token")
    if method == "get":
        client.cookies[identity.COOKIE] = "1.2.3"
        assert ask(client) == (401, "no_identity")
    assert not Guest.objects.exists()


def test_a_cookie_is_enough_to_read_but_not_to_change():
    guest = services.new_guest()
    client = Client(enforce_csrf_checks=True)
    client.cookies[identity.COOKIE] = identity.token_for(guest.pk)
    assert client.get("/api/me/").json()["name"] == guest.name
    refused = client.patch("/api/me/", '{"name": "Eve"}', content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "no_identity")
    client.cookies["csrftoken"] = "x" * 32
    headers = {"X-CSRFToken": "x" * 32}
    done = client.patch(
        "/api/me/", '{"name": "Ada"}', content_type="application/json", headers=headers
    )
    assert done.json()["name"] == "Ada"


def test_a_browser_becomes_a_guest_when_it_chooses_a_name():
    client = Client()
    answer = client.patch("/api/me/", '{"name": "Ada"}', content_type="application/json")
    assert answer.json()["name"] == "Ada"
    assert client.get("/api/me/").json() == answer.json()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"name": "x" * 21}, "bad_name"),
        ({"name": "\u200b"}, "bad_name"),
        ({"name": "x" * 60_000}, "bad_name"),
        ({"name": None}, "malformed"),
        ({"name": ["Ada"]}, "malformed"),
        ([], "malformed"),
        ("{", "malformed"),
    ],
)
def test_what_cannot_be_a_name_is_refused_with_a_sentence(told, data, code):
    answer = Program().patch(data)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["text"].endswith(".")
    assert not Guest.objects.exists()
    assert told == []


def test_without_a_name_nothing_changes(told):
    program = Program()
    profile.change_name(guest=program.guest, name="Ada")
    assert program.patch({}).json()["name"] == "Ada"
    assert told == []


def test_changes_are_limited_by_guest_and_by_network():
    program = Program()
    answers = [program.patch({"name": f"Ada {n}"}).status_code for n in range(21)]
    assert answers == [200] * 20 + [429]
    assert "Retry-After" in program.patch({"name": "Ada"}).headers
    while limits.CHANGING_BY_ADDRESS.allows("127.0.0.1"):
        pass
    assert Program().patch({"name": "Ada"}).json()["code"] == "too_many"
    assert Guest.objects.count() == 1


def test_a_name_on_creating_or_joining_is_told_to_open_pages(told):
    one, two = Program(), Program()
    made = one.post("/api/matches/", {"game": "chain-factor", "name": "Ada"}).json()
    two.post(f"/api/matches/{made['id']}/join/", {"name": "Bo"})
    one.post("/api/matches/", {"game": "chain-factor"})
    assert told == [one.guest.pk, two.guest.pk]
    assert one.get().json()["name"] == "Ada"
    shown = Client().get(f"/api/matches/{made['id']}/").json()["players"].values()
    assert {player["name"] for player in shown} == {"Ada", "Bo"}


def test_the_invitation_has_the_name_of_the_guest_who_sent_it_and_a_field_to_change_it(client):
    path = client.post("/new/", {"game": "chain-factor"})["Location"]
    guest = Guest.objects.get()
    page = client.get(path).content.decode()
    assert f'name="my-name" value="" placeholder="{guest.name}"' in page
    profile.change_name(guest=guest, name="Ada <3")
    assert 'name="my-name" value="Ada &lt;3"' in client.get(path).content.decode()
    friends = Client().get(path).content.decode()
    assert "Ada &lt;3</span> invites you to a match" in friends
    assert 'content="Ada &lt;3 invites you to Chain Factor"' in friends
    assert guest.name not in friends


def test_the_form_to_join_has_the_name_of_the_guest_who_opens_it(client):
    path = client.post("/new/", {"game": "chain-factor"})["Location"]
    friend, stranger = Client(), Client()
    friend.patch("/api/me/", '{"name": "Bo"}', content_type="application/json")
    assert '<input name="name" value="Bo" placeholder="' in friend.get(path).content.decode()
    assert '<input name="name" value="" placeholder=""' in stranger.get(path).content.decode()
