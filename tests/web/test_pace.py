"""Pace: choosing it, and what a match's page says about it."""

import pytest
from django.test import Client
from django.utils.translation import override

from games.models import Match
from games.web.pace import about_pace
from games.words.translation import say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("collected_static")]


def create(client, **choices):
    response = client.post("/new/", {"game": "chain-factor", **choices})
    assert response.status_code == 302
    return response["Location"], Match.objects.latest("created")


@pytest.mark.parametrize(
    ("choices", "pace"),
    [
        ({}, "no-hurry"),
        ({"pace": ""}, "no-hurry"),
        ({"pace": "", "listed": "on"}, "now"),
        ({"pace": "now"}, "now"),
        ({"pace": "no-hurry", "listed": "on"}, "no-hurry"),
    ],
)
def test_the_form_offers_a_pace_with_a_default_that_follows_the_list(client, choices, pace):
    _, match = create(client, **choices)
    assert match.pace == pace


def test_an_unknown_pace_is_refused(client):
    assert client.post("/new/", {"game": "chain-factor", "pace": "slow"}).status_code == 400


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"pace": "no-hurry"}, "doesn&#x27;t move for 3 days"),
        ({"pace": "now"}, "leaves for 2 minutes on their turn"),
        (
            {"listed": "on"},
            "leaves for 30 seconds on their turn or doesn&#x27;t move for 2 minutes",
        ),
    ],
)
def test_the_page_says_when_a_win_may_be_claimed(client, choices, sentence):
    """To the player who invites, to the friend who is invited, and during the match."""
    path, _ = create(client, **choices)
    friend = Client()
    assert [page.get(path).content.decode().count(sentence) for page in (client, friend)] == [2, 2]
    friend.post(f"{path}join/")
    page = friend.get(path).content.decode()
    assert sentence in page
    assert f'"pace":"{Match.objects.get().pace}"' in page


@pytest.mark.parametrize("device", ["same", "computer"])
def test_alone_nobody_can_claim_a_win_so_nothing_is_said(client, device):
    path, _ = create(client, device=device)
    assert 'id="pace"' not in client.get(path).content.decode()


def test_the_sentences_follow_the_settings_and_are_translated(settings):
    settings.CLAIM_AFTER = {"link": 90, "listed": 30, "idle": 7200, "no-hurry": 36 * 60 * 60}
    assert "for 90 seconds" in about_pace("now", listed=False)
    assert "for 2 hours" in about_pace("now", listed=True)
    assert "for 36 hours" in about_pace("no-hurry", listed=True)
    with override("de"):
        assert "36 Stunden" in say(about_pace("no-hurry", listed=False))
