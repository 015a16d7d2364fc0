"""Resignations and rematches."""

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.live.client import new_pair


def finish(loser):
    loser.has_turn()
    loser.resign()


def test_resigning_asks_for_confirmation(pair):
    one, two = pair()
    dialog = one.page.locator("#confirm-resign")
    one.page.locator("#resign").click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Keep playing").click()
    expect(dialog).to_be_hidden()
    one.page.locator("#resign").click()
    one.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert one.asked() == []
    one.page.locator("#resign").click()
    dialog.get_by_role("button", name="Resign").click()
    two.sees_status("You win")
    one.sees_status("wins")
    assert [message["type"] for message in one.asked()] == ["resign"]


def test_a_rematch_swaps_seats_and_keeps_the_score_and_the_spectator_follows(pair, people):
    one, two = pair()
    spectator = people().visit(one.path)
    expect(spectator.page.locator("#watching")).to_be_visible()
    finish(loser=one)
    first = one.path
    two.page.locator("#rematch").click()
    expect(two.page.locator("#rematch")).to_have_text("Withdraw offer")
    expect(one.page.locator("#rematch")).to_have_text("Accept rematch")
    expect(spectator.page.locator("#follow")).to_be_hidden()
    one.page.locator("#rematch").click()
    for person in (one, two):
        person.page.wait_for_url(lambda url: not url.endswith(first))
        person.sees_the_board()
    assert one.path == two.path

    two.has_turn()
    one.waits()
    expect(two.page.locator("#player-1 .presence")).to_have_text("you")
    expect(one.page.locator("#player-2 .presence")).to_have_text("you")
    assert spectator.path == first
    spectator.page.locator("#follow").click()
    spectator.page.wait_for_url(f"**{one.path}")
    for person in (one, two, spectator):
        expect(person.page.locator("#player-1 .wins")).to_have_text("1")
        expect(person.page.locator("#player-2 .wins")).to_have_text("0")
    expect(spectator.page.locator("#watching")).to_be_visible()

    finish(loser=two)
    for person in (one, two, spectator):
        expect(person.page.locator("#player-1 .wins")).to_have_text("1")
        expect(person.page.locator("#player-2 .wins")).to_have_text("1")


def test_an_offered_rematch_survives_a_reload(pair):
    one, two = pair()
    finish(loser=one)
    two.page.locator("#rematch").click()
    expect(one.page.locator("#rematch")).to_have_text("Accept rematch")
    for person in (one, two):
        person.page.reload()
    expect(two.page.locator("#rematch")).to_have_text("Withdraw offer")
    expect(one.page.locator("#rematch")).to_have_text("Accept rematch")
    expect(one.page.locator("#rematch")).to_be_enabled()


def test_an_offer_is_seen_and_can_be_withdrawn(pair):
    one, two = pair()
    finish(loser=one)
    title = one.page.title()
    two.page.locator("#rematch").click()
    expect(one.page.locator("#news")).to_contain_text("offers a rematch")
    assert "offers a rematch" in one.page.title()
    expect(two.page.locator("#rematch")).to_have_text("Withdraw offer")
    two.page.locator("#rematch").click()
    for person in (one, two):
        expect(person.page.locator("#rematch")).to_have_text("Rematch")
    assert one.page.title() == title


def test_the_same_two_play_another_game(pair):
    one, two = pair()
    finish(loser=one)
    first = one.path
    one.page.locator("#other-games").get_by_role("button", name="Chain Factor").click()
    expect(one.page.locator("#rematch")).to_have_text("Withdraw offer")
    expect(two.page.locator("#rematch")).to_have_text("Accept: Chain Factor")
    two.page.locator("#rematch").click()
    for person in (one, two):
        person.page.wait_for_url(lambda url: not url.endswith(first))
        person.sees_the_board()
        expect(person.page.locator("h1")).to_have_text("Chain Factor")
    expect(one.page.locator("#player-1 .wins")).to_have_text("1")


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("slug", GAMES)
def test_the_offer_is_in_view_on_a_small_phone(slug, language, people, server):
    match_id, *tokens = new_pair(server, slug)
    one, two = (people().is_guest(token).visit(f"/m/{match_id}/") for token in tokens)
    finish(loser=one)
    two.page.locator("#rematch").click()
    for token in tokens:
        size = {"width": 360, "height": 640}
        phone = people(viewport=size, locale=language).is_guest(token).visit(f"/m/{match_id}/")
        expect(phone.page.locator("#rematch")).to_be_enabled()
        # The button itself, or the one that stands for it while it is below the screen.
        button = phone.page.locator("#rematch, #rematch-here:not([hidden])").last
        expect(button).to_be_in_viewport(ratio=1)
