"""Ways to play: by keyboard, on one device, on larger boards; and illegal moves."""

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.live.client import fresh

LARGER = {
    "number-blossoms": 15,
    "number-tower-duel": 20,
    "chain-factor": 20,
    "number-collapse": 16,
    "number-eliminator": 20,
}


def tab_to(person, selector):
    """Press Tab until a matching element has the focus, and check that the focus is visible."""
    for _ in range(80):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            outline = "getComputedStyle(document.activeElement).outlineStyle"
            assert person.page.evaluate(outline) != "none"
            return
    raise AssertionError(f"Tab never reached {selector}")


def test_a_whole_match_can_be_played_with_the_keyboard_alone(people, server):
    one, two = people(), people()
    one.visit("/")
    tab_to(one, ".card.number-eliminator button[value=link]")
    one.page.keyboard.press("Enter")
    one.page.wait_for_url("**/m/*/")
    two.visit(one.path)
    tab_to(two, ".join button")
    two.page.keyboard.press("Enter")
    two.sees_the_board()
    one.sees_the_board()
    mine = fresh(server, one.match_id)
    one_begins = one.status.inner_text() == "Your turn"
    turns = (one, two) if one_begins else (two, one)
    while mine["status"] == "live":
        mover = turns[mine["turn"] - 1]
        mover.has_turn()
        tab_to(mover, ".tile.legal")
        mover.page.keyboard.press("Enter")
        mover.sees_moves(mine["version"] + 1)
        mine = fresh(server, one.match_id)
    turns[mine["outcome"]["winner"] - 1].sees_status("You win")


def test_two_players_can_share_one_device(people, server):
    both = people()
    both.create("number-tower-duel", starts="lot", device="same")
    both.sees_the_board()
    truth = fresh(server, both.match_id)
    while truth["status"] == "live":
        both.sees_status(f"Player {truth['turn']}'s turn")
        assert both.legal_moves() == truth["legal"]
        both.play(truth["legal"][-1])
        truth = fresh(server, both.match_id)
    both.sees_status(f"Player {truth['outcome']['winner']} wins")


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_on_a_larger_board_can_be_played(slug, people):
    both = people()
    both.create(slug, size="larger", device="same")
    expect(both.tiles).to_have_count(LARGER[slug])
    for number in range(1, 5):
        both.sees_status("'s turn")
        both.play(both.legal_moves()[-1])
        assert both.moves.count() >= number
    assert both.tiles.count() <= LARGER[slug] - 4


def test_an_invitation_says_that_the_board_is_larger(people):
    one, two = people(), people()
    two.visit(one.create("number-collapse", size="larger"))
    expect(two.page.locator("#waiting")).to_contain_text("larger")


def test_a_forced_pass_is_automatic_and_shown(pair):
    one, two = pair("number-blossoms")
    one.play(6)
    two.play(5)
    one.play(2)
    for person in (one, two):
        person.sees_moves(4)
        expect(person.moves.last).to_have_text("pass")
        expect(person.page.locator("#prompt")).to_contain_text("had to pass")
    one.has_turn()
    expect(two.legal).to_have_count(0)
    assert [message["move"] for message in two.asked()] == [5]


def test_touching_a_barred_number_says_why_and_sends_nothing(pair):
    one, two = pair()
    one.play(6)
    two.has_turn()
    two.touch_barred(4)
    expect(two.reason).to_be_visible()
    expect(two.reason).to_contain_text("4 is neither a divisor nor a multiple of 6")
    assert is_beside(two.reason.bounding_box(), two.tile(4).bounding_box())
    two.play(3)
    expect(two.reason).to_be_hidden()
    assert [message["move"] for message in two.asked()] == [3]


def test_touching_a_number_out_of_turn_says_why_and_sends_nothing(pair, people):
    one, two = pair()
    spectator = people().visit(one.path)
    for person in (two, spectator):
        person.waits()
        person.touch_barred(4)
        expect(person.reason).to_be_visible()
    one.play(6)
    two.has_turn()
    assert two.asked() == spectator.asked() == []


def is_beside(box, other):
    """Return whether two boxes are less than 40 pixels apart and don't overlap."""
    gap = max(
        other["y"] - (box["y"] + box["height"]),
        box["y"] - (other["y"] + other["height"]),
        other["x"] - (box["x"] + box["width"]),
        box["x"] - (other["x"] + other["width"]),
    )
    return 0 <= gap < 40
