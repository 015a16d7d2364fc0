"""Pace: what the page says in advance, the countdown, and claiming the win."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import meeting
from tests.live.client import join, new_guest, new_match, new_pair
from tests.serving import serving


def test_a_player_can_claim_the_win_when_the_opponent_is_gone(browser, tmp_path):
    """The server allows claims after seven seconds."""
    with (
        serving(tmp_path, NUMGAMES_LIMITS="off", NUMGAMES_CLAIM_AFTER="7,7,8") as server,
        meeting(browser, server) as meet,
    ):
        match_id, *tokens = new_pair(server, pace="now")
        stays, leaves = (meet(server).is_guest(token).visit(f"/m/{match_id}/") for token in tokens)
        stays.has_turn()
        leaves.context.close()
        stays.page.locator('#board [data-move="6"]').click()
        expect(stays.page.locator("#player-2 .presence")).to_have_text("away")
        expect(stays.page.locator("#countdown")).to_contain_text("You can claim the win in 0:0")
        expect(stays.page.locator("#player-2 .presence")).to_have_text("gone")
        claim = stays.page.get_by_role("button", name="Claim win")
        expect(claim).to_be_enabled()
        claim.click()
        expect(stays.page.locator("#status")).to_have_text(re.compile("^You win: .* in time"))


LINES = {
    ("en", "no-hurry"): "No hurry: take days if you like. If somebody doesn't move for 3 days",
    ("en", "now"): "Play now: once you've both opened the match, if somebody leaves for 2 minutes",
    (
        "de",
        "no-hurry",
    ): "Keine Eile: Lass dir ruhig Tage Zeit. Hat jemand seit 3 Tagen nicht gezogen",
    ("de", "now"): "Ist jemand am Zug und seit 2 Minuten weg",
}


@pytest.mark.parametrize(("locale", "pace"), LINES)
def test_the_invitation_and_the_match_say_what_its_pace_means(locale, pace, people, server):
    one, two = new_guest(server), new_guest(server)
    match_id = new_match(server, one, pace=pace)
    inviter = people(locale=locale).is_guest(one).visit(f"/m/{match_id}/")
    friend = people(locale=locale).is_guest(two).visit(f"/m/{match_id}/")
    for person in (inviter, friend):
        expect(person.page.locator("#waiting .pace")).to_contain_text(LINES[locale, pace])
    join(server, match_id, two)
    for person in (inviter, friend.visit(f"/m/{match_id}/")):
        expect(person.page.locator("#pace")).to_contain_text(LINES[locale, pace])
        expect(person.page.locator("#pace")).to_be_visible()


@pytest.mark.parametrize(
    ("pace", "locale", "sentence"),
    [
        ("now", "en", "hasn't opened the match yet."),
        (
            "now",
            "de",
            "hat die Partie noch nicht geöffnet.",
        ),
        ("no-hurry", "en", "is away. You can claim the win in 3 days."),
        ("no-hurry", "de", "ist weg. In 3 Tagen kannst du den Sieg nehmen."),
    ],
)
def test_the_page_says_what_happens_if_the_other_player_does_not_come(
    pace, locale, sentence, people, server
):
    match_id, _one, two = new_pair(server, pace=pace)
    person = people(locale=locale).is_guest(two).visit(f"/m/{match_id}/")
    expect(person.page.locator("#countdown")).to_contain_text(sentence)
    expect(person.page.locator("#claim")).to_be_disabled()
