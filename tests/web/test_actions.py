"""What pages and API share."""

import ast
import json
from pathlib import Path

import pytest
from django.test import Client

from games.live.process import SCOPE_KEY, Process
from games.matches import action_log, identity, limits, lookups, proofs, selectors, services
from games.matches.action_log import Writing
from games.matches.loaded_match import LoadedMatch
from games.matches.selectors import StoredAction
from games.models import Guest, Match
from games.refusals import Refusal
from games.web import actions
from numgames_site import urls
from tests.live.client import proof_for

pytestmark = pytest.mark.usefixtures("collected_static")

WEB = Path(actions.__file__).parent


@pytest.fixture
def told(monkeypatch):
    """The ids of the matches that the live process was notified of."""
    ids = []
    monkeypatch.setattr(actions, "notify", lambda request, match_id, *_: ids.append(match_id))
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


ADDRESSES = [
    "/" + str(pattern.pattern)
    for pattern in urls.urlpatterns
    if "<str:match_id>" in str(pattern.pattern)
]


def ask(address, match_id, bearer):
    """Ask an address about a match, with whichever method it accepts."""
    path = address.replace("<str:match_id>", match_id).replace("<int:version>", "0")
    got = Client().get(path, headers={"Authorization": bearer})
    return post(path, {}, bearer) if got.status_code == 405 else got


def test_there_are_addresses_of_matches():
    assert len(ADDRESSES) == 11


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("match_id", ["22222222", "x", "x" * 100])
def test_every_address_of_a_match_counts_wrong_links(address, match_id):
    bearer = token()
    for left in (59, 58):
        assert ask(address, match_id, bearer).status_code == 404
        assert left <= limits.MISSES_BY_ADDRESS.buckets["127.0.0.1"].tokens < left + 0.5


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_connections")
@pytest.mark.parametrize("address", ADDRESSES)
def test_above_the_limit_every_address_lets_in_only_the_players(address):
    player = services.new_guest()
    match, _ = services.create_match(guest=player, game="chain-factor", same_device=True)
    resign = StoredAction(1, 1, None, "resign", "r", 1.0)
    action_log.write_actions([Writing(match.serial, [resign], 2)])
    while limits.MISSES_BY_ADDRESS.allows("127.0.0.1"):
        pass
    stranger = token()
    right, wrong = ask(address, match.pk, stranger), ask(address, "22222222", stranger)
    assert right.status_code == wrong.status_code == 429
    assert right.content == wrong.content
    assert right.headers == wrong.headers
    allowed = ask(address, match.pk, f"Bearer {identity.token_for(player.pk)}")
    # 503, because outside a server nobody thinks.
    assert allowed.status_code in (200, 302, 409, 503)


@pytest.mark.parametrize("what", ["review", "explore"])
def test_asking_the_solver_too_often_is_refused_before_the_match_is_looked_up(what, monkeypatch):
    """This test may not use the database."""
    for name in ("THINKING_BY_GUEST", "THINKING_BY_ADDRESS"):
        with monkeypatch.context() as used_up:
            used_up.setattr(limits, name, limits.Limit(rate=0.1, burst=0))
            answer = Client().get(
                f"/api/matches/22222222/{what}/",
                headers={"Authorization": f"Bearer {identity.token_for(7)}"},
            )
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert answer.headers["Retry-After"] == "10"


@pytest.mark.django_db
def test_cancelling_a_strangers_invitation_is_answered_like_a_wrong_link(client):
    match_id = client.post("/new/", {"game": "chain-factor"})["Location"].split("/")[2]
    for path in ("/m/{}/cancel/", "/api/matches/{}/cancel/"):
        stranger = token()
        theirs = post(path.format(match_id), {}, stranger)
        unknown = post(path.format("22222222"), {}, stranger)
        assert theirs.status_code == unknown.status_code == 404
        assert theirs.content == unknown.content
    assert limits.MISSES_BY_ADDRESS.buckets["127.0.0.1"].tokens < 57
    assert Match.objects.get().status == "open"


@pytest.mark.django_db
def test_pictures_on_another_sites_page_cannot_use_up_the_limit_on_wrong_links(client):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}
    statuses = [client.get("/m/22222222/0.png", headers=headers).status_code for _ in range(70)]
    assert (statuses[0], statuses[-1]) == (404, 429)
    assert client.get("/m/22222222/").status_code == 404
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.get("/m/22222222/", headers=link).status_code == 404


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


def asking_a_process(rf, process, match_id, guest=None):
    """Load a match for a request to a process."""
    headers = {"Authorization": f"Bearer {identity.token_for(guest.pk)}"} if guest else {}
    request = rf.get(f"/m/{match_id}/", headers=headers)
    request.scope = {SCOPE_KEY: process}
    return actions.load_match(request, match_id)


@pytest.fixture
def loaded_here(db):
    """A process that has an invitation loaded, and the person who sent it."""
    process, guest = Process(), services.new_guest()
    match, _ = services.create_match(guest=guest, game="chain-factor", starts="me")
    live = process.hub.live_match(match.pk)
    live.loaded = LoadedMatch(selectors.stored_match(match.pk))
    return process, live, guest


def test_a_match_that_is_loaded_and_up_to_date_is_not_loaded_again(rf, loaded_here):
    process, live, _ = loaded_here
    for link in (live.id, live.id.upper()):
        assert asking_a_process(rf, process, link) is live.loaded
    services.join_match(match_id=live.id, guest=services.new_guest(), name="Ada")
    found = asking_a_process(rf, process, live.id)
    assert found is not live.loaded
    assert (found.row.status, found.row.shown_name(2)) == ("live", "Ada")


def test_a_loaded_match_with_a_new_action_in_the_database_is_loaded_again(rf, loaded_here):
    process, live, _ = loaded_here
    services.join_match(match_id=live.id, guest=services.new_guest())
    live.loaded = LoadedMatch(selectors.stored_match(live.id))
    assert asking_a_process(rf, process, live.id) is live.loaded
    resign = StoredAction(1, 1, None, "resign", "r", 1.0)
    action_log.write_actions([Writing(live.loaded.row.serial, [resign], 2)])
    assert asking_a_process(rf, process, live.id).outcome.code == "resign"


def test_a_loaded_match_that_was_deleted_is_not_found(rf, loaded_here):
    process, live, _ = loaded_here
    Match.objects.all().delete()
    with pytest.raises(lookups.NoSuchMatch):
        asking_a_process(rf, process, live.id)


def test_above_the_limit_on_wrong_links_a_loaded_match_is_for_its_players_only(rf, loaded_here):
    process, live, guest = loaded_here
    while limits.MISSES_BY_ADDRESS.allows("127.0.0.1"):
        pass
    assert asking_a_process(rf, process, live.id, guest) is live.loaded
    for other in (None, services.new_guest()):
        with pytest.raises(Refusal) as refused:
            asking_a_process(rf, process, live.id, other)
        assert refused.value.code == "too_many"
