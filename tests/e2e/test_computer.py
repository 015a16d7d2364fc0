"""Playing the computer, getting hints, and reviewing a lost match."""

import random
import re

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from games.solver import solve
from tests.e2e.conftest import meeting
from tests.live.client import fresh
from tests.serving import serving


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A server whose computer moves without a pause."""
    data = tmp_path_factory.mktemp("quick")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_COMPUTER_PAUSE="0,0") as server:
        yield server


@pytest.fixture
def someone(browser, quick):
    with meeting(browser, quick) as meet:
        yield meet


def begin(person, slug, level, starts="me"):
    person.visit("/")
    card = person.page.locator(f".card.{slug}")
    card.locator("summary").click()
    card.locator(f"input[name=level][value={level}]").check()
    card.locator(f"input[name=starts][value={starts}]").check()
    card.get_by_role("button", name="Play the computer").click()
    person.page.wait_for_url("**/m/*/")


def play_out(person, server, choose):
    """Play on every turn until the match is over; return its final snapshot."""
    over = person.page.locator("#match[data-status=finished]")
    while True:
        expect(over.or_(person.legal.first).first).to_be_visible()
        if over.count():
            return fresh(server, person.match_id)
        before = person.moves.count()
        person.press(person.tile(choose(fresh(server, person.match_id))))
        expect(person.moves.nth(before)).to_be_attached()


def perfectly(truth):
    game = GAMES[truth["game"]]
    return solve(game, game.from_json(truth["state"])).best[0]


@pytest.mark.parametrize("slug", GAMES)
def test_the_weakest_level_can_be_beaten(slug, someone, quick):
    person = someone()
    begin(person, slug, "beginner")
    expect(person.page.locator("#about")).to_contain_text("Plays 1 of 5 moves perfectly")
    assert play_out(person, quick, perfectly)["outcome"]["winner"] == 1
    person.sees_status("You win")


@pytest.mark.parametrize("slug", GAMES)
def test_the_perfect_computer_always_wins_from_the_winning_seat(slug, someone, quick):
    person, watching = someone(), someone()
    begin(person, slug, "perfect", starts="friend")
    watching.visit(person.path)
    choice = random.Random(slug)
    truth = play_out(person, quick, lambda truth: choice.choice(truth["legal"]))
    assert truth["outcome"]["winner"] == 1
    person.sees_status("Perfect computer wins")
    watching.sees_status("Perfect computer wins")
    # The computer accepts a rematch at once, and now it plays second.
    person.press(person.page.locator("#rematch"))
    person.page.wait_for_url(lambda url: person.match_id not in watching.page.url)
    person.has_turn()


def test_one_tap_starts_a_match_against_a_computer_you_can_beat(someone):
    person = someone()
    person.visit("/")
    person.page.locator(".card.chain-factor").get_by_role("button", name="computer").click()
    person.sees_the_board()
    expect(person.page.locator("#about")).to_contain_text("Casual computer")


def test_a_hint_points_at_a_good_move_and_says_why(someone):
    person = someone()
    begin(person, "number-tower-duel", "perfect")
    person.has_turn()
    person.press(person.page.locator("#hint"))
    expect(person.reason).to_contain_text(re.compile("[57] leaves only 1"))


def test_there_are_no_hints_in_a_match_between_two_people(pair):
    one, two = pair()
    for person in (one, two):
        expect(person.page.locator("#hint")).to_be_hidden()


def lost_match(person, server):
    """Play a match in which Player 1 gives the win away on the first move and loses."""
    begin(person, "number-tower-duel", "perfect")
    person.has_turn()
    person.play(6)
    return play_out(person, server, lambda truth: truth["legal"][0])


def test_the_review_of_a_lost_match_shows_the_turning_point(someone, quick):
    person = someone()
    truth = lost_match(person, quick)
    assert truth["outcome"]["winner"] == 2
    person.press(person.page.get_by_role("link", name="Review match"))
    page = person.page
    expect(page.locator("#summary")).to_contain_text("turning point was move 1")
    # The review opens at the turning point.
    expect(page.locator("#verdict")).to_contain_text("6 gave the win away")
    expect(page.locator("#lesson")).to_contain_text("5 or 7 kept the win")
    expect(page.locator("#bar button")).to_have_count(len(truth["history"]) + 1)
    expect(page.locator("#moves li.gave_away")).to_have_count(1)

    page.keyboard.press("Home")
    expect(page.locator("#board .tile.wins")).to_have_text(["5", "7"])
    expect(page.locator("#board .tile.loses")).to_have_count(7)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#verdict")).to_contain_text("Move 1")
    page.keyboard.press("End")
    expect(page.locator("#verdict")).to_contain_text("Perfect computer wins")


def test_a_reader_can_step_through_a_review_without_waiting(someone, quick):
    """Each step drops the question before it, and only the last one is shown."""
    person = someone()
    truth = lost_match(person, quick)
    person.visit(f"{person.path}review/")
    page = person.page
    # Press keys before the review has arrived, too.
    for key in ("End", "Home", *["ArrowRight", "ArrowLeft"] * 10, "End", "Home"):
        page.keyboard.press(key)
    expect(page.locator("#summary")).to_contain_text("turning point was move 1")
    for key in ("End", "Home", *["ArrowRight"] * len(truth["history"]), "Home"):
        page.keyboard.press(key)
    expect(page.locator("#board .tile.wins")).to_have_text(["5", "7"])
    page.keyboard.press("ArrowRight")
    expect(page.locator("#verdict")).to_contain_text("6 gave the win away")


def test_a_position_that_the_reader_is_playing_is_shown_without_verdicts(pair):
    one, two = pair()
    one.play(6)
    two.has_turn()
    two.resign()
    one.sees_moves(2)
    finished = one.path
    for player in (one, two):
        player.press(player.page.locator("#rematch"))
    for player in (one, two):
        player.page.wait_for_url(lambda url: finished not in url)
    two.has_turn()
    one.may_see_status = 403
    review = one.visit(f"{finished}review/").page
    # The review opens at the turning point, which isn't being played.
    expect(review.locator("#board .tile.wins")).not_to_have_count(0)
    review.keyboard.press("Home")
    expect(review.locator("#verdict")).to_contain_text("playing this very position")
    expect(review.locator("#board .tile")).to_have_count(9)
    expect(review.locator("#board .tile.wins, #board .tile.loses")).to_have_count(0)


def test_anyone_with_the_link_can_explore_other_moves(someone, quick):
    player, guest = someone(), someone(has_touch=True, viewport={"width": 360, "height": 640})
    lost_match(player, quick)
    guest.visit(f"{player.path}review/")
    page = guest.page
    expect(page.locator("#bar button").first).to_be_visible()
    guest.press(page.locator("#first"))
    guest.press(guest.tile(5))
    expect(page.locator("#verdict")).to_contain_text("wins from here with perfect play in 2 moves")
    guest.press(guest.tile(1))
    guest.press(guest.tile(7))
    expect(page.locator("#verdict")).to_contain_text("wins: ")
    guest.press(page.locator("#back"))
    expect(page.locator("#back")).to_be_hidden()
    expect(page.locator("#board .tile.wins")).to_have_count(2)


def test_a_running_match_has_no_review(pair):
    one, _ = pair()
    path = one.path
    one.visit(f"{path}review/")
    assert one.path == path
    one.sees_the_board()
    expect(one.page.locator("#review")).to_be_hidden()
