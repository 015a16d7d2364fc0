"""Touching a number that can't be played shows the reason beside it, with a drawing."""

import pytest
from playwright.sync_api import expect

SMALL = {"viewport": {"width": 320, "height": 568}}


@pytest.fixture
def after(people):
    """Return a function that plays these moves on a small phone, for both players."""

    def play(slug, *moves):
        both = people(**SMALL)
        both.create(slug, device="same")
        for move in moves:
            both.play(move)
        return both

    return play


@pytest.mark.parametrize(
    ("slug", "moves", "barred", "drawn"),
    [
        # 7 divided into 2s leaves 1.
        ("number-tower-duel", (6, 2), 7, ["2", "2", "2", "1"]),
        ("number-eliminator", (6, 2), 7, ["2", "2", "2", "1"]),
        # 9 and 6 as products, with the factor they share.
        ("chain-factor", (7, 6), 9, ["9", "=", "3", "×", "3", "6", "=", "3", "×", "2"]),
        # The prime factors of 6 and 5: none in common.
        ("number-blossoms", (6, 8), 5, ["6", "=", "2", "×", "3", "5", "=", "5"]),
    ],
)
def test_the_reason_has_a_drawing(slug, moves, barred, drawn, after):
    both = after(slug, *moves)
    both.touch_barred(barred)
    expect(both.reason.locator("svg")).to_be_visible()
    assert sorted(both.reason.locator("text").all_text_contents()) == sorted(drawn)
    both.sees_moves(len(moves))


def test_a_barred_number_shows_the_factor_that_bars_it(after):
    both = after("chain-factor", 7, 6)
    badges = both.page.locator(".tile[data-badge]").evaluate_all(
        "tiles => tiles.map(tile => [tile.textContent, tile.dataset.badge])"
    )
    assert badges == [["2", "2"], ["3", "3"], ["4", "2"], ["8", "2"], ["9", "3"]]


@pytest.mark.parametrize("barred", [1, 5, 7, 9])
def test_the_reason_stays_on_the_screen(barred, after):
    both = after("number-blossoms", 8, 6)
    both.touch_barred(barred)
    box = both.reason.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert box["y"] >= 0


def test_a_crossed_off_number_says_so_without_a_drawing(after):
    both = after("number-eliminator", 6)
    both.touch_barred(6)
    expect(both.reason).to_contain_text("6")
    assert both.reason.locator("svg").count() == 0


def test_out_of_turn_the_reason_is_the_turn_and_not_the_rule(pair):
    _, two = pair()
    two.touch_barred(4)
    expect(two.reason).to_contain_text("turn")
    assert two.reason.locator("svg").count() == 0


def test_the_reason_disappears_with_the_next_move(pair):
    one, two = pair()
    two.touch_barred(4)
    expect(two.reason).to_be_visible()
    one.play(6)
    expect(two.reason).to_be_hidden()
