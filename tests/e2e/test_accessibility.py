"""Accessibility: axe-core in light and dark, screen reader texts, keyboard and zoom."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.rules import GAMES

AXE = Axe()

# Moves, and a number that can't be played after them.
BARRED = {
    "number-blossoms": ((6, 8), 5),
    "number-tower-duel": ((9, 3), 5),
    "chain-factor": ((7, 6), 4),
    "number-eliminator": ((9, 3), 5),
}


def violations(page):
    """Return what axe-core finds, and where."""
    found = []
    for scheme in ("light", "dark"):
        # Without reduced motion, axe-core might measure a colour in mid-transition.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for violation in AXE.run(page).response["violations"]:
            places = [(node["target"], node["failureSummary"]) for node in violation["nodes"]]
            found.append((scheme, violation["id"], places))
    return found


def test_the_lobby_has_no_violation(people, pair):
    one, _ = pair("number-collapse", listed=True)
    person = people().visit("/")
    expect(person.page.locator(f"#live-matches a[href='{one.path}']")).to_be_visible()
    person.another_tab().create("chain-factor", listed=True)
    expect(person.page.locator("#open li").first).to_be_visible()
    person.page.locator("summary").first.click()
    assert violations(person.page) == []
    person.page.locator("#open-settings").click()
    expect(person.page.locator("#settings")).to_be_visible()
    assert violations(person.page) == []


def test_an_invitation_has_no_violation_for_either_player(people):
    one, two = people(), people()
    two.visit(one.create("number-blossoms"))
    assert violations(one.page) == []
    assert violations(two.page) == []
    one.page.get_by_role("button", name="Cancel").click()
    expect(one.page.locator("#ended")).to_be_visible()
    assert violations(one.page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_has_no_violation_while_live_looking_back_or_finished(slug, people):
    both = people(reduced_motion="reduce")
    both.create(slug, device="same")
    assert violations(both.page) == []
    for _ in range(2):
        both.play(both.legal_moves()[-1])
    assert violations(both.page) == []
    both.page.locator("#previous").click()
    assert violations(both.page) == []
    both.page.locator("#live").click()
    both.page.locator("#resign").click()
    assert violations(both.page) == []
    both.page.locator("#confirm-resign").get_by_role("button", name="Resign").click()
    both.sees_status("wins")
    assert violations(both.page) == []


@pytest.mark.parametrize("slug", BARRED)
def test_the_reason_for_a_barred_number_has_no_violation(slug, people):
    moves, barred = BARRED[slug]
    both = people(reduced_motion="reduce")
    both.create(slug, device="same")
    for move in moves:
        both.play(move)
    both.touch_barred(barred)
    expect(both.reason).to_be_visible()
    assert violations(both.page) == []


def test_waiting_and_watching_have_no_violation(pair, people):
    one, two = pair()
    spectator = people().visit(one.path)
    expect(spectator.page.locator("#watching")).to_be_visible()
    assert violations(two.page) == []
    assert violations(spectator.page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_a_larger_board_has_no_violation(slug, people):
    both = people(reduced_motion="reduce", viewport={"width": 360, "height": 640})
    both.create(slug, size="larger", device="same")
    both.play(both.legal_moves()[0])
    assert violations(both.page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_rules_have_no_violation_at_the_beginning_and_at_the_end(slug, people):
    person = people(reduced_motion="reduce").visit(f"/rules/{slug}/")
    assert violations(person.page) == []
    person.page.locator("summary").click()
    on = person.page.locator("#on")
    while on.is_enabled():
        on.click()
    assert violations(person.page) == []


@pytest.mark.parametrize("path", ["/m/zzzzzzzz/", "/nothing/here/"])
def test_a_wrong_address_has_no_violation(path, people):
    person = people()
    person.may_see_status = 404
    assert violations(person.visit(path).page) == []


def test_screen_readers_announce_moves_legal_numbers_and_the_result(pair):
    one, two = pair()
    heard = two.page.locator("#heard")
    assert two.page.locator("#heard").get_attribute("role") == "log"
    one.play(6)
    expect(heard).to_have_text(re.compile(r"placed 6\. Your turn\. .* play 1, 2, 3\.$"))
    two.play(3)
    expect(heard).to_have_text(re.compile(r"^You placed 3 on 6\. .*'s turn\.$"))
    one.resign()
    expect(heard).to_have_text(re.compile(r"You win: .* resigned\."))


def test_screen_readers_can_read_the_board(pair):
    one, two = pair()
    one.play(6)
    two.play(3)
    tower = one.page.get_by_role("list", name="The tower, from the top")
    expect(tower.get_by_role("listitem")).to_have_text(["36 = 2 × 3", "6"])
    expect(one.tile(9)).to_have_attribute("aria-label", "Block 9, can be played")
    expect(one.tile(4)).to_have_attribute("aria-label", "Block 4")


def test_pressing_a_digit_focuses_its_number(pair):
    one, _ = pair("number-collapse")
    one.page.keyboard.press("7")
    expect(one.page.locator("#board :focus")).to_have_text("7")
    one.page.keyboard.press("Enter")
    one.sees_moves(1)


def test_the_focus_stays_on_the_board_after_the_focused_number_is_played(pair):
    one, two = pair()
    one.page.keyboard.press("6")
    one.page.keyboard.press("Enter")
    one.sees_moves(1)
    expect(one.page.locator("#board :focus")).to_have_text("7")
    two.play(3)
    one.has_turn()
    expect(one.page.locator("#board :focus")).to_have_text("7")


def test_everything_can_be_reached_at_200_percent_zoom(people):
    """At 200% zoom a desktop window has half its width and height."""
    person = people(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    person.create("number-tower-duel", device="same")
    person.sees_the_board()
    for selector in ("#status", "#board .tile", "#resign"):
        person.page.locator(selector).first.scroll_into_view_if_needed()
        expect(person.page.locator(selector).first).to_be_in_viewport()
    assert person.page.evaluate("document.scrollingElement.scrollWidth") <= 640
