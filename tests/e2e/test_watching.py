"""The "Live now" page: small boards of all listed matches, and a large one followed live."""

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.e2e.test_accessibility import violations
from tests.e2e.test_motion import WATCH
from tests.e2e.test_phone import RECORD_SHIFTS, SMALL, WIDE
from tests.e2e.test_reactions import bubble, freeze, react
from tests.e2e.test_weight import LIMIT
from tests.games import facts_of
from tests.live.client import fresh, join, new_guest, new_pair, post
from tests.serving import serving

SIZES = [(320, 568), (390, 844), (740, 360), (1280, 800)]


@pytest.fixture
def quiet(tmp_path):
    """A server without any matches."""
    with serving(tmp_path, NUMGAMES_LIMITS="off") as server:
        yield server


def cards(person):
    return person.page.locator(".live-match")


def card(person, match_id):
    return person.page.locator(f".live-match[data-id='{match_id}']")


def sees_large(person, match_id):
    expect(person.page.locator("#open-match")).to_have_attribute("href", f"/m/{match_id}/")
    expect(card(person, match_id).get_by_role("button")).to_have_attribute("aria-pressed", "true")
    expect(person.page.locator(".live-match [aria-pressed=true]")).to_have_count(1)


def watch(person, match_id):
    """Open the page and choose a match."""
    person.visit("/watch/")
    card(person, match_id).get_by_role("button").click()
    sees_large(person, match_id)
    return person


def test_listed_matches_have_small_boards_and_one_is_large(people, quiet, seats):
    hidden, *_ = new_pair(quiet, "number-blossoms")
    listed = [seats.pair(quiet, slug) for slug in GAMES]
    watcher = people(quiet).visit("/watch/")
    expect(cards(watcher)).to_have_count(len(listed))
    for match_id in listed:
        expect(card(watcher, match_id).locator(".tile").first).to_be_visible()
    expect(card(watcher, hidden)).to_have_count(0)
    expect(watcher.tiles.first).to_be_visible()
    expect(watcher.page.locator("#nothing")).to_be_hidden()
    expect(watcher.page.locator(".live-match [aria-pressed=true]")).to_have_count(1)


def test_the_home_page_links_to_live_now(pair, people):
    pair(listed=True)
    person = people().visit("/")
    person.page.locator("#watch-all a").click()
    expect(cards(person).first).to_be_visible()
    person.visit("/")
    person.page.locator(".top a[href='/watch/']").click()
    expect(cards(person).first).to_be_visible()


@pytest.mark.parametrize("slug", GAMES)
def test_the_large_board_animates_every_move(slug, pair, people):
    one, two = pair(slug, listed=True)
    watcher = people()
    watcher.page.add_init_script(WATCH)
    watch(watcher, one.match_id)
    assert watcher.board() == one.board()
    for mover, other in ((one, two), (two, one)):
        watcher.page.evaluate("window.moved = []")
        mover.has_turn()
        mover.play(fresh(mover.server, mover.match_id)["legal"][-1])
        other.has_turn()
        name = fresh(one.server, one.match_id)["players"][str(2 if mover is one else 1)]["name"]
        watcher.sees_status(name)
        assert watcher.board() == one.board()
        moved = watcher.page.evaluate("window.moved")
        assert [piece for piece in moved if facts_of(slug).MOVING in piece], moved
    expect(watcher.legal).to_have_count(0)
    expect(one.page.locator("#spectators")).to_have_text("1 watching")


def test_a_result_is_shown_for_a_moment_before_the_next_match(pair, people, quiet, seats):
    one, two = pair("chain-factor", at=quiet, listed=True)
    other = seats.pair(quiet, "number-collapse")
    watcher = watch(people(quiet), one.match_id)
    one.play(7)
    freeze(watcher)
    two.resign()
    expect(watcher.page.locator("#player-1")).to_have_class("player seat-1 winner")
    watcher.sees_status("wins: ")
    expect(card(watcher, one.match_id)).to_have_count(0)
    watcher.page.clock.fast_forward(3000)
    expect(watcher.page.locator("#open-match")).to_have_attribute("href", one.path)
    watcher.page.clock.fast_forward(5000)
    sees_large(watcher, other)
    expect(watcher.page.locator("#board .grid")).to_be_visible()


def test_a_rematch_is_followed_before_any_other_match(pair, people, quiet, seats):
    one, two = pair(at=quiet, listed=True)
    watcher = watch(people(quiet), one.match_id)
    freeze(watcher)
    first = one.path
    one.resign()
    one.page.locator("#rematch").click()
    two.page.locator("#rematch.inviting").click()
    one.page.wait_for_url(lambda url: first not in url)
    # This one starts after the rematch, so the lobby lists it first.
    newest = seats.pair(quiet, "chain-factor")
    expect(card(watcher, newest)).to_be_visible()
    expect(card(watcher, one.match_id)).to_be_visible()
    watcher.page.clock.fast_forward(8000)
    sees_large(watcher, one.match_id)


def test_after_the_last_match_the_page_invites_you_to_play(pair, people, quiet):
    one, _ = pair(at=quiet, listed=True)
    watcher = watch(people(quiet), one.match_id)
    freeze(watcher)
    one.resign()
    watcher.sees_status("wins: ")
    expect(cards(watcher)).to_have_count(0)
    watcher.page.clock.fast_forward(8000)
    expect(watcher.page.locator("#nothing")).to_be_visible()
    expect(watcher.page.locator("#stage")).to_be_hidden()


def test_a_listed_match_can_be_started_on_the_empty_page_and_is_shown_when_it_begins(people, quiet):
    watcher = people(quiet).visit("/watch/")
    expect(watcher.page.locator("#nothing")).to_be_visible()
    assert violations(watcher.page) == []
    starter = watcher.another_tab().visit("/watch/")
    starter.page.locator("#nothing").get_by_role("button", name="Chain Factor").click()
    starter.page.wait_for_url("**/m/*/")
    snapshot = fresh(quiet, starter.match_id)
    assert (snapshot["game"], snapshot["listed"]) == ("chain-factor", True)
    join(quiet, starter.match_id, new_guest(quiet))
    sees_large(watcher, starter.match_id)
    expect(watcher.page.locator("#nothing")).to_be_hidden()


def test_a_small_board_becomes_the_large_one_by_touch_and_by_keyboard(people, quiet, seats):
    first, second = (seats.pair(quiet, "chain-factor") for _ in range(2))
    watcher = people(quiet, viewport={"width": 320, "height": 568}, has_touch=True)
    watcher.visit("/watch/")
    for match_id in (first, second):
        # Tap the middle of the board, not the text.
        card(watcher, match_id).tap()
        sees_large(watcher, match_id)
        expect(watcher.page.locator("#featured")).to_be_in_viewport()
    button = card(watcher, first).get_by_role("button")
    button.focus()
    watcher.page.keyboard.press("Enter")
    sees_large(watcher, first)
    expect(button).to_be_focused()


def test_a_link_opens_the_page_of_the_match(pair, people):
    one, _ = pair(listed=True)
    watcher = watch(people(), one.match_id)
    watcher.page.locator("#open-match").click()
    watcher.page.wait_for_url(f"**{one.path}")
    expect(watcher.page.locator("#watching")).to_be_visible()


def test_touching_a_number_says_why_it_cannot_be_played_here(pair, people):
    one, _ = pair(listed=True)
    for person in (people(), one.another_tab()):
        watch(person, one.match_id)
        person.touch_barred(6)
        expect(person.reason).to_be_visible()
        assert person.asked() == []
    one.sees_moves(0)


def test_chosen_names_are_only_shown_on_the_page_of_the_match(people, server, seats):
    host, guest = new_guest(server), new_guest(server)
    settings = {"game": "number-collapse", "listed": True, "name": "My Own Name"}
    match_id = post(server, "/api/matches/", settings, host)[1]["id"]
    join(server, match_id, guest)
    seats.take(server, match_id, host)
    watcher = watch(people(), match_id)
    shown = watcher.page.locator(".players .name").all_inner_texts()
    assert all(shown)
    assert "My Own Name" not in shown
    watcher.visit(f"/m/{match_id}/")
    expect(watcher.page.locator(".players")).to_contain_text("My Own Name")


def test_reactions_can_be_seen_and_sent(pair, people):
    one, _ = pair(listed=True)
    watcher = watch(people(), one.match_id)
    react(one, "hello")
    expect(bubble(watcher, 1, "hello")).to_be_visible()
    react(watcher, "thanks")
    for person in (one, watcher):
        expect(bubble(person, None, "thanks")).to_be_visible()


def test_screen_readers_announce_the_match_and_its_moves(pair, people):
    one, _ = pair(listed=True)
    watcher = watch(people(), one.match_id)
    heard = watcher.page.locator("#heard")
    for name in watcher.page.locator(".players .name").all_inner_texts():
        expect(heard).to_contain_text(name)
    one.play(6)
    expect(heard).to_contain_text("placed 6")


@pytest.mark.parametrize("slug", GAMES)
def test_watching_has_no_violation(slug, people, server, seats):
    match_id = seats.pair(server, slug)
    watcher = watch(people(reduced_motion="reduce"), match_id)
    assert violations(watcher.page) == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_shifts_when_matches_come_change_and_end(size, people, pair, quiet, seats):
    width, height = size
    one, _ = pair("number-eliminator", at=quiet, listed=True)
    others = [seats.pair(quiet, slug) for slug in GAMES]
    watcher = people(quiet, viewport={"width": width, "height": height})
    watcher.page.add_init_script(RECORD_SHIFTS)
    watch(watcher, one.match_id)
    one.play(6)
    expect(watcher.tiles).to_have_count(8)
    assert watcher.page.evaluate(WIDE) <= width
    assert watcher.page.evaluate(SMALL) == []
    freeze(watcher)
    one.resign()
    watcher.sees_status("wins: ")
    # Its place stays empty until the next match takes it.
    expect(cards(watcher)).to_have_count(len(others))
    newest = seats.pair(quiet, "number-collapse")
    expect(card(watcher, newest)).to_be_visible()
    watcher.page.clock.fast_forward(8000)
    expect(watcher.page.locator("#open-match")).not_to_have_attribute("href", one.path)
    watcher.page.wait_for_load_state("networkidle")
    assert watcher.page.evaluate("window.shifts") == []


def test_the_page_is_light_even_with_all_five_boards(people, quiet, seats):
    for slug in GAMES:
        seats.pair(quiet, slug)
    watcher, came = people(quiet), []
    watcher.page.on("response", lambda answer: came.append(answer))
    watcher.visit("/watch/")
    expect(cards(watcher)).to_have_count(len(GAMES))
    watcher.page.wait_for_load_state("networkidle")
    kinds = ("document", "script", "stylesheet")
    sizes = {
        answer.url.rsplit("/", 1)[1]: len(answer.body())
        for answer in came
        if answer.request.resource_type in kinds
    }
    assert sum(sizes.values()) < LIMIT, sizes
