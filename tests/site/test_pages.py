"""The pages' words."""

import pytest
from django.core.management import call_command

from games.examples import replay
from games.rules import GAMES


@pytest.fixture(scope="module", autouse=True)
def collected():
    call_command("collectstatic", interactive=False, verbosity=0)


def test_home_lists_and_links_all_games(client):
    page = client.get("/").content.decode()
    for slug, game in GAMES.items():
        assert game.name in page
        assert f'href="/rules/{slug}/"' in page


@pytest.mark.parametrize("slug", GAMES)
def test_rules_have_the_worked_example_to_its_end(client, slug):
    response = client.get(f"/rules/{slug}/")
    page = response.content.decode()
    assert response.status_code == 200
    assert page.count('class="entry"') == len(replay(slug))
    assert " wins: " in page
    # An open {{ or an empty block would be a mistake in the template.
    assert "{{" not in page
    assert "<p></p>" not in page


def test_an_unknown_game_is_a_friendly_404(client):
    response = client.get("/rules/chess/")
    assert response.status_code == 404
    assert "See all games" in response.content.decode()


def test_a_failing_page_is_friendly_too(client, monkeypatch):
    def fail(*_):
        raise RuntimeError("a broken page")

    monkeypatch.setattr("games.views.render", fail)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "nothing you played is lost" in response.content.decode()
