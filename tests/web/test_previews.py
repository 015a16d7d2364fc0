"""Link previews: every page has a picture that shows its content."""

import io
import re
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from games.catalogue import KITS
from games.catalogue.examples import first_state, replay
from games.models import Action, Match
from games.rules import GAMES, PASS
from games.web.cards import SIZE, card_png

pytestmark = pytest.mark.usefixtures("collected_static")

META = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"')


def tags(page):
    return dict(META.findall(page.content.decode()))


def path_of(url):
    return re.sub(r"^https?://[^/]+", "", url)


def opened(response):
    assert response.status_code == 200
    assert response["Content-Type"] == "image/png"
    return Image.open(io.BytesIO(response.content))


@pytest.fixture
def match(client, db):
    client.post("/new/", {"game": "number-tower-duel", "starts": "me"})
    return Match.objects.get()


def play(match, *moves):
    for move in moves:
        version = match.actions.count() + 1
        Action.objects.create(
            match=match, version=version, seat=2 - version % 2, move=str(move), time=1.0
        )


@pytest.mark.parametrize("path", ["/", *(f"/rules/{slug}/" for slug in GAMES)])
def test_home_and_rules_have_a_preview(client, path):
    found = tags(client.get(path))
    for name in ("og:title", "og:description", "og:image:alt", "description"):
        assert found[name].strip()
    assert path_of(found["og:url"]) == path
    assert found["og:image"].startswith("http://")
    assert opened(client.get(path_of(found["og:image"]))).size == SIZE
    assert found["twitter:card"] == "summary_large_image"


def test_an_invitation_names_the_inviter_and_the_game(client, match):
    found = tags(client.get(f"/m/{match.pk}/"))
    inviter = match.seat_1.name
    assert found["og:title"] == f"{inviter} invites you to Number Tower Duel"
    assert path_of(found["og:image"]) == f"/m/{match.pk}/0.png"
    assert opened(client.get(path_of(found["og:image"]))).size == SIZE


def test_a_match_shows_its_current_position(client, match):
    pictures = []
    for moves in ((), (6,), (3,)):
        play(match, *moves)
        address = path_of(tags(client.get(f"/m/{match.pk}/"))["og:image"])
        response = client.get(address)
        opened(response)
        assert "max-age=31536000" in response["Cache-Control"]
        assert "immutable" in response["Cache-Control"]
        pictures.append((address, response.content))
    assert len(set(pictures)) == 3
    # The picture of an older position hasn't changed.
    for address, content in pictures:
        assert client.get(address).content == content


def test_a_position_that_has_not_been_played_has_no_picture(client, match):
    assert client.get(f"/m/{match.pk}/1.png").status_code == 404
    assert client.get("/m/22222222/0.png").status_code == 404
    assert client.get("/rules/chess/picture.png").status_code == 404


def test_fetching_a_picture_takes_no_seat(client, match):
    client.cookies.clear()
    client.get(f"/m/{match.pk}/0.png")
    match.refresh_from_db()
    assert match.status == "open"
    assert not client.cookies


@pytest.mark.parametrize("slug", GAMES)
def test_every_move_of_a_game_changes_its_picture(slug):
    played = [entry for entry in replay(KITS[slug]) if entry.events and entry.move != PASS]
    states = [first_state(KITS[slug]), *(entry.state for entry in played)]
    for one, two in pairwise(states):
        assert card_png(slug, one, "") != card_png(slug, two, "")


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("largest", [False, True])
def test_boards_of_any_size_can_be_drawn(slug, largest):
    """Draw every position of a match on the smallest and on the largest board."""
    game = GAMES[slug]
    options = {
        name: (max if largest else min)(option.allowed)
        for name, option in game.options.items()
        if isinstance(option.allowed, range) and name != "target"
    }
    state = game.setup(Random(1), **options)
    drawn = 0
    while game.outcome(state) is None:
        if drawn % 7 == 0:
            card_png(slug, state, "Come and play")
        state = game.play(state, state.turn, game.legal_moves(state)[0]).state
        drawn += 1
    image = Image.open(io.BytesIO(card_png(slug, state, "Player 1 wins")))
    assert image.size == SIZE


@pytest.mark.parametrize(("size", "kind"), [(180, "any"), (192, "any"), (512, "maskable")])
def test_icons_have_the_requested_size(client, size, kind):
    assert opened(client.get(f"/icons/{size}-{kind}.png")).size == (size, size)


def test_icons_of_other_sizes_are_not_found(client):
    assert client.get("/icons/4000-any.png").status_code == 404
    assert client.get("/icons/192-other.png").status_code == 404
