"""The pages as the server sends them, without a browser."""

import re

import pytest
from django.test import Client

from games.catalogue import KITS
from games.catalogue.examples import replay
from games.matches import identity
from games.models import Guest, Match
from games.rules import GAMES
from games.web.links import shareable

pytestmark = pytest.mark.usefixtures("collected_static")


def create(client, game="chain-factor", **choices):
    response = client.post("/new/", {"game": game, **choices})
    assert response.status_code == 302
    return response["Location"], Match.objects.latest("created")


def test_home_offers_and_explains_every_game(client):
    page = client.get("/").content.decode()
    for slug, game in GAMES.items():
        assert game.name in page
        assert f'href="/rules/{slug}/"' in page
        assert f'name="game" value="{slug}"' in page


@pytest.mark.parametrize("slug", GAMES)
def test_rules_pages_show_the_whole_worked_example(client, slug):
    response = client.get(f"/rules/{slug}/")
    page = response.content.decode()
    assert response.status_code == 200
    assert page.count('class="entry"') == len(replay(KITS[slug]))
    assert " wins: " in page
    # A stray {{ or an empty block would be a mistake in the template.
    assert "{{" not in page
    assert "<p></p>" not in page


@pytest.mark.django_db
def test_one_click_creates_a_match_and_opens_its_page(client):
    path, match = create(client)
    assert path == f"/m/{match.pk}/"
    assert (match.status, match.listed, match.options, match.same_device) == (
        "open",
        False,
        {},
        False,
    )
    page = client.get(path).content.decode()
    assert "Invite a friend" in page
    assert "<svg" in page
    assert match.pk in re.search(r'id="link" value="([^"]+)"', page)[1]


@pytest.mark.django_db
@pytest.mark.parametrize(("choices", "is_quoted"), [({}, False), ({"listed": "on"}, True)])
def test_search_engines_may_quote_only_listed_matches(client, choices, is_quoted):
    path, _ = create(client, **choices)
    assert ("nosnippet" not in client.get(path).content.decode()) is is_quoted


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("number-blossoms", {"pool": 15}),
        ("number-tower-duel", {"pool": 20}),
        ("chain-factor", {"pool": 20}),
        ("number-collapse", {"size": 4}),
        ("number-eliminator", {"pool": 20}),
    ],
)
def test_the_chosen_options_are_stored_with_the_match(client, game, options):
    _, match = create(client, game, size="larger", listed="on", starts="friend")
    assert match.options == options
    assert match.listed
    assert match.seat_1 is None
    if game == "number-collapse":
        assert match.setup["target"] == 45


@pytest.mark.django_db
def test_a_match_on_one_device_has_both_seats_taken(client):
    _, match = create(client, device="same")
    assert match.status == "live"
    assert match.seat_1 == match.seat_2


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "head"])
def test_viewing_a_page_takes_no_seat_and_stores_no_guest(client, method):
    path, match = create(client)
    guests = Guest.objects.count()
    stranger = Client()
    for _ in range(3):
        assert getattr(stranger, method)(path).status_code == 200
    assert getattr(stranger, method)("/").status_code == 200
    assert stranger.get(f"{path}join/").status_code == 405
    match.refresh_from_db()
    assert match.status == "open"
    assert Guest.objects.count() == guests
    assert identity.COOKIE not in stranger.cookies


@pytest.mark.django_db
def test_the_friend_sees_who_invites_and_joins_with_a_button(client):
    path, match = create(client, starts="friend")
    friend = Client()
    page = friend.get(path).content.decode()
    assert f"{(match.seat_2).name} invites you" in page
    assert "You start." in page
    assert "How to play" in page
    friend.post(f"{path}join/", {"name": "Ada"})
    match.refresh_from_db()
    assert (match.status, match.shown_name(1)) == ("live", "Ada")
    # A third visitor whose page still shows the button gets the board, and watches.
    third = Client()
    assert third.post(f"{path}join/").status_code == 302
    assert '"you":[]' in third.get(path).content.decode()


@pytest.mark.django_db
def test_a_name_that_cannot_be_shown_is_refused_with_a_message(client):
    path, _ = create(client)
    response = Client().post(f"{path}join/", {"name": "x" * 30})
    assert response.status_code == 400
    assert "1 to 20" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("secure", [False, True])
def test_the_cookie_is_secure_if_the_page_is(client, secure):
    client.post("/new/", {"game": "chain-factor"}, secure=secure)
    cookie = client.cookies[identity.COOKIE]
    assert bool(cookie["secure"]) == secure
    assert cookie["httponly"]


@pytest.mark.django_db
def test_only_the_person_who_sent_an_invitation_can_cancel_it(client):
    path, match = create(client)
    assert Client().post(f"{path}cancel/").status_code == 404
    client.post(f"{path}cancel/")
    match.refresh_from_db()
    assert match.status == "cancelled"
    assert "This invitation was cancelled." in Client().get(path).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/m/22222222/", "/m/x/", "/m/22222222/join/"])
def test_an_unknown_match_shows_a_friendly_page(client, path):
    response = client.post(path) if path.endswith("join/") else client.get(path)
    assert response.status_code == 404
    assert "match" in response.content.decode()


@pytest.mark.django_db
def test_a_form_without_a_csrf_token_is_refused_with_advice():
    client = Client(enforce_csrf_checks=True)
    response = client.post("/new/", {"game": "chain-factor"})
    assert response.status_code == 403
    assert "Go back and try again." in response.content.decode()


@pytest.mark.django_db
def test_creating_a_match_of_an_unknown_game_is_refused(client):
    response = client.post("/new/", {"game": "chess"})
    assert response.status_code == 400
    assert "Choose a game again." in response.content.decode()


def test_a_link_made_on_localhost_uses_the_network_address(rf, settings):
    settings.LAN_ADDRESS = "192.0.2.7"
    settings.ALLOWED_HOSTS = ["localhost", "play.example", "127.0.0.1"]
    for host, expected in (
        ("localhost:8000", "http://192.0.2.7:8000/m/x/"),
        ("127.0.0.1", "http://192.0.2.7/m/x/"),
        ("play.example", "http://play.example/m/x/"),
    ):
        assert shareable(rf.get("/", HTTP_HOST=host), "/m/x/") == expected
    settings.LAN_ADDRESS = None
    assert shareable(rf.get("/", HTTP_HOST="localhost"), "/") == "http://localhost/"


def test_the_rules_of_an_unknown_game_are_a_friendly_404(client):
    response = client.get("/rules/chess/")
    assert response.status_code == 404
    assert "See all games" in response.content.decode()


def test_a_page_that_fails_shows_a_friendly_error(client, monkeypatch):
    def fail(*_):
        raise RuntimeError("a broken page")

    monkeypatch.setattr("games.web.views.page", fail)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "none of your moves are lost" in response.content.decode()
