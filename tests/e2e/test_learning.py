"""A rules page: stepping through the worked example, then trying the game."""

import pytest
from playwright.sync_api import expect

from games.catalogue import KITS
from games.catalogue.examples import replay
from games.rules import GAMES


def on(person):
    return person.page.locator("#on")


def told(person):
    return person.page.locator("#told")


@pytest.mark.parametrize("slug", GAMES)
def test_the_example_can_be_stepped_through_to_the_end_and_back(slug, people):
    person = people().visit(f"/rules/{slug}/")
    person.sees_the_board()
    moral = person.page.locator("#moral")
    expect(moral).to_be_hidden()
    boards = [person.board()]
    for entry in replay(KITS[slug]):
        on(person).click()
        expect(told(person)).to_have_text(" ".join(entry.sentences))
        boards.append(person.board())
    expect(on(person)).to_be_disabled()
    expect(moral).to_be_visible()
    assert boards[-1] != boards[0]
    for before in reversed(boards[:-1]):
        person.page.locator("#back").click()
        assert person.board() == before
    expect(person.page.locator("#back")).to_be_disabled()


@pytest.mark.parametrize("slug", GAMES)
def test_touching_the_highlighted_number_goes_to_the_next_step(slug, people):
    person = people().visit(f"/rules/{slug}/")
    for count in (1, 2):
        person.page.locator(".tile.hinted").click(force=True)
        expect(person.page.locator("#step")).to_have_text(f"{count} / {len(replay(KITS[slug]))}")


def test_touching_a_barred_number_explains_why_it_is_barred(people):
    person = people().visit("/rules/number-tower-duel/")
    on(person).click()
    person.touch_barred(4)
    expect(person.reason).to_contain_text("4 is neither a divisor nor a multiple of 6")
    expect(person.reason.locator("svg")).to_be_visible()
    expect(person.page.locator("#step")).to_have_text("1 / 5")


def test_touching_another_legal_number_says_that_it_is_allowed_too(people):
    person = people().visit("/rules/number-tower-duel/")
    on(person).click()
    person.tile(2).click()
    expect(person.reason).to_contain_text("allowed too")
    expect(person.page.locator("#step")).to_have_text("1 / 5")


def test_a_refused_entry_in_the_example_is_explained(people):
    person = people().visit("/rules/number-blossoms/")
    while not replay(KITS["number-blossoms"])[step(person)].refused:
        on(person).click()
    on(person).click()
    expect(person.reason).to_be_visible()
    expect(person.reason.locator("svg")).to_be_visible()


def step(person):
    return int(person.page.locator("#step").inner_text().split(" / ")[0])


def test_without_scripts_the_example_can_be_read(people):
    person = people(java_script_enabled=False).visit("/rules/chain-factor/")
    person.page.locator("summary").click()
    expect(person.page.locator(".entry").last).to_be_visible()


def test_the_game_can_be_tried_against_the_easiest_computer(people):
    person = people().visit("/rules/number-collapse/")
    person.page.get_by_role("button", name="Try it").click()
    person.page.wait_for_url("**/m/*/")
    person.has_turn()
    expect(person.page.locator("#about")).to_contain_text("Beginner computer")
    person.play(person.legal_moves()[0])
    person.sees_moves(2)


def test_the_game_can_be_tried_on_one_device(people):
    person = people().visit("/rules/number-collapse/")
    person.page.get_by_role("button", name="On this device").click()
    person.page.wait_for_url("**/m/*/")
    person.sees_status("Player 1's turn")
    person.play(person.legal_moves()[0])
    person.sees_status("Player 2's turn")
