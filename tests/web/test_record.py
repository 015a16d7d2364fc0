"""The page with a guest's record."""

import asyncio
import time
from datetime import UTC, datetime
from urllib.request import Request, urlopen

import pytest
from django.test import Client
from django.utils import timezone

from games.guests.tallies import week_of
from games.matches import identity
from games.models import Guest, Tally, TallyWeek
from tests.live.client import connected, get, new_pair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("collected_static")]

LAST = datetime(2026, 11, 2, tzinfo=UTC)


@pytest.fixture
def player():
    guest = Guest.objects.create(name="Ada")
    shared = {"guest": guest, "game": "chain-factor", "last": LAST}
    Tally.objects.create(kind="people", played=8, won=5, run=1, best_run=3, **shared)
    Tally.objects.create(
        kind="casual", played=4, won=1, best_run=1, accuracy_sum=163, accuracy_count=2, **shared
    )
    TallyWeek.objects.create(guest=guest, week=week_of(timezone.now()), played=12, won=6)
    return guest


def browser_of(guest, language="en"):
    client = Client(headers={"Accept-Language": language})
    client.cookies[identity.COOKIE] = identity.token_for(guest.pk)
    return client


def test_a_guest_sees_their_figures(player):
    answer = browser_of(player).get("/me/record/")
    text = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    for part in (
        "Chain Factor",
        "<dd>6 <small>50%</small></dd>",
        "<dt>Best level beaten</dt><dd>Casual</dd>",
        '<th scope="row">People</th><td>5 of 8 <small>62%</small></td>',
        '<th scope="row">Casual computer</th>',
        "<dt>Accuracy</dt><dd>82%</dd>",
        "you played 12 matches and won 6 of them",
        '<rect class="won"',
        "As a table",
    ):
        assert part in text
    assert "Number Collapse" not in text


def test_in_german_too(player):
    text = browser_of(player, "de").get("/me/record/").content.decode()
    assert "50\xa0%" in text
    assert "Menschen" in text
    # In SVG, numbers have a point in every language.
    assert ',0"' not in text


@pytest.mark.parametrize("known", [True, False])
def test_somebody_who_has_not_played_sees_how_to_begin(known, player):
    client = browser_of(Guest.objects.create(name="Bo")) if known else Client()
    text = client.get("/me/record/").content.decode()
    assert "Nothing here yet" in text
    assert "<svg viewBox" not in text.partition('<nav class="tabs"')[2]
    assert "Chain Factor" not in text


def test_the_page_of_one_guest_is_not_shown_to_the_next(player):
    assert "50%" in browser_of(player).get("/me/record/").content.decode()
    assert "50%" not in Client().get("/me/record/").content.decode()


async def test_a_match_and_its_review_are_in_the_record_soon(server):
    match_id, *tokens = new_pair(server)
    async with (
        connected(server, match_id, tokens[0]) as one,
        connected(server, match_id, tokens[1]) as two,
    ):
        players = {1: one, 2: two}
        while one.board["outcome"] is None:
            mover = players[one.board["turn"]]
            await mover.played(mover.board["legal"][0])
            for player in players.values():
                await player.until(mover.version)
    status, review = get(server, f"/api/matches/{match_id}/review/", tokens[0])
    assert status == 200
    for token, judged in zip(tokens, review["accuracy"], strict=True):
        shown = (
            f"{round(100 * judged['kept'] / judged['mattered'])}%" if judged["mattered"] else "–"
        )
        request = Request(f"{server.http}/me/record/", headers={"Cookie": f"guest={token}"})
        until = time.monotonic() + 15
        while True:
            with urlopen(request, timeout=10) as answer:
                text = answer.read().decode()
            if f"<dt>Accuracy</dt><dd>{shown}</dd>" in text:
                break
            assert time.monotonic() < until, text
            await asyncio.sleep(0.2)
