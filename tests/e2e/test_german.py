"""German: every page, a match against an English-speaking guest, and a small phone."""

import re

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.e2e.test_accessibility import BARRED, violations
from tests.e2e.test_installing import READY
from tests.e2e.test_phone import RECORD_SHIFTS, SMALL, WIDE
from tests.e2e.test_settings import open_settings
from tests.e2e.test_weight import LIMIT
from tests.live.client import fresh
from tests.words.german import foreign

GERMAN = {"locale": "de-DE"}
NARROW = {"width": 320, "height": 568}

# Every text that is shown or read out.
TEXTS = """
() => {
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("script")) shown.push(walker.currentNode.data);
  }
  for (const name of ["aria-label", "title", "alt"]) {
    for (const part of document.querySelectorAll(`[${name}]`)) shown.push(part.getAttribute(name));
  }
  return [document.title, ...shown].filter(text => text.trim());
}
"""
# Player names, which are not translated.
PEOPLE = "() => [...document.querySelectorAll('.player .name')].map(name => name.textContent)"


def english_on(person, *names):
    """Return the words on a page that are not German."""
    texts = person.page.evaluate(TEXTS)
    assert len(texts) > 10
    people = [name for name in person.page.evaluate(PEOPLE) if "Spieler" not in name]
    people = [name for name in people if "Computer" not in name and "niemand" not in name]
    left = {text: foreign(text, *people, *names) for text in texts}
    return {text: words for text, words in left.items() if words}


@pytest.fixture
def german(people):
    def meet(**settings):
        return people(**GERMAN, **settings)

    return meet


def play_on(person, move):
    before = person.moves.count()
    person.press(person.tile(move))
    expect(person.moves.nth(before)).to_be_attached()


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_between_a_german_and_an_english_guest(slug, german, people, server):
    one, two = german(), people()
    path = one.create(slug)
    assert english_on(one) == {}
    two.visit(path)
    two.join("Ada")
    expect(one.page.locator("#news")).to_have_text(re.compile("Die Partie beginnt"))
    truth = fresh(server, one.match_id)
    while truth["status"] == "live":
        mover = (one, two)[truth["turn"] - 1]
        expect(mover.legal.first).to_be_visible()
        if mover is one:
            one.sees_status("Du bist am Zug")
            two.sees_status("'s turn")
        else:
            two.sees_status("Your turn")
            one.sees_status("Ada ist am Zug")
        assert english_on(one, "Ada") == {}
        barred = [number for number in mover.moves_left() if number not in truth["legal"]]
        if mover is one and barred:
            one.touch_barred(barred[0])
            expect(one.reason).to_be_visible()
            assert english_on(one, "Ada") == {}
        play_on(mover, truth["legal"][-1])
        truth = fresh(server, one.match_id)
        one.sees_moves(truth["version"])
    won = truth["outcome"]["winner"] == 1
    one.sees_status("Du gewinnst: " if won else "Ada gewinnt: ")
    two.sees_status("wins: " if won else "You win: ")
    assert english_on(one, "Ada") == {}
    two.page.locator("#rematch").click()
    expect(one.page.locator("#rematch")).to_have_text("Revanche annehmen")


def test_a_german_guest_accepts_an_english_invitation_and_resigns(german, people):
    one, two = people(), german()
    two.visit(one.create("number-tower-duel"))
    name = two.page.locator("#waiting-title").inner_text().split(" lädt")[0]
    assert english_on(two, name) == {}
    two.page.get_by_label("Dein Name (wenn du magst)").fill("Ada")
    two.page.get_by_role("button", name="Mitspielen").click()
    two.sees_the_board()
    one.has_turn()
    one.play(6)
    heard = two.page.locator("#heard")
    expect(heard).to_have_text(re.compile(r"hat 6 gesetzt\. Du bist am Zug\. .*: 1, 2, 3\.$"))
    one.page.locator("#react").click()
    one.page.locator("#reaction-choices [value=well_played]").click()
    expect(two.page.locator("#reacted")).to_have_text(re.compile(": Gut gespielt$"))
    two.page.locator("#resign").click()
    two.page.locator("#confirm-resign").get_by_role("button", name="Aufgeben").click()
    two.sees_status("gewinnt: Du hast aufgegeben.")
    one.sees_status("You win: Ada resigned.")
    assert english_on(two) == {}


@pytest.mark.parametrize("slug", GAMES)
def test_hints_moves_and_the_review_of_a_match_on_one_device(slug, german, server):
    both = german()
    both.create(slug, device="same")
    while (truth := fresh(server, both.match_id))["status"] == "live":
        both.sees_moves(truth["version"])
        both.page.locator("#hint").click()
        expect(both.reason).to_be_visible()
        assert english_on(both) == {}
        # Close the hint: it may cover the number to be played.
        both.page.locator("#status").click()
        play_on(both, truth["legal"][-1])
    both.page.locator("#review").click()
    expect(both.page.locator(".bar button").first).to_be_visible()
    assert english_on(both) == {}
    for _ in range(both.moves.count()):
        both.page.locator("#previous").click(force=True)
        assert english_on(both) == {}
    expect(both.page.locator(".tile.wins, .tile.loses").first).to_be_visible()
    assert english_on(both) == {}


def test_the_computer_is_german(german):
    alone = german()
    alone.create("chain-factor", device="computer")
    about = alone.page.locator("#about")
    expect(about).to_have_text(
        "Lockerer Computer: Spielt 1 von 2 Zügen perfekt, den Rest zufällig."
    )
    assert english_on(alone) == {}


def test_the_lobby_and_the_watch_page_are_german(german, people, pair):
    one, _ = pair("number-tower-duel", listed=True)
    waiting = people()
    waiting.create("chain-factor", listed=True, size="larger")
    guests = [fresh(one.server, person.match_id)["players"] for person in (one, waiting)]
    names = [guest["name"] for players in guests for guest in players.values() if guest]
    person = german().visit("/")
    expect(person.page.locator(f"#live-matches a[href='{one.path}']")).to_be_visible()
    expect(person.page.locator("#open li").first).to_be_visible()
    # Other tests list matches too.
    listed = person.page.locator("#lobby .row").all_inner_texts()
    assert any("größer" in text and "Mitspielen" in text for text in listed)
    assert any(" und " in text for text in listed)
    person.visit("/watch/")
    expect(person.page.locator("#stage")).to_be_visible()
    expect(person.page.locator("#prompt")).to_have_text(re.compile("^Als Nächstes: "))
    one.play(6)
    assert names
    expect(person.page.locator("#heard")).to_have_text(re.compile("ist am Zug|Jetzt zu sehen"))


@pytest.mark.parametrize("slug", GAMES)
def test_every_step_of_the_example_is_german(slug, german):
    person = german().visit(f"/rules/{slug}/")
    on = person.page.locator("#on")
    while on.is_enabled():
        on.click()
        assert english_on(person) == {}


def test_the_language_chosen_in_the_settings_is_remembered(people):
    person = people().visit("/")
    html, heading = person.page.locator("html"), person.page.locator("h1")
    expect(heading).to_have_text("Quick number duels")
    open_settings(person).get_by_text("Deutsch", exact=True).click()
    expect(heading).to_have_text("Schnelle Duelle mit Zahlen")
    expect(html).to_have_attribute("lang", "de")
    person.create("chain-factor", device="same")
    person.sees_status("Spieler 1 ist am Zug")
    # It overrides the browser's language until another one is chosen.
    dialog = open_settings(person)
    expect(dialog.get_by_label("Deutsch", exact=True)).to_be_checked()
    dialog.get_by_text("English", exact=True).click()
    person.sees_status("Player 1's turn")
    dialog = open_settings(person)
    dialog.get_by_role("group", name="Language").get_by_text("Auto", exact=True).click()
    expect(html).to_have_attribute("lang", "en")
    expect(open_settings(person).get_by_label("English", exact=True)).not_to_be_checked()


def test_english_can_be_chosen_in_a_german_browser(german):
    person = german().visit("/")
    expect(person.page.locator("h1")).to_have_text("Schnelle Duelle mit Zahlen")
    open_settings(person).get_by_text("English", exact=True).click()
    expect(person.page.locator("h1")).to_have_text("Quick number duels")
    person.visit("/rules/chain-factor/")
    expect(person.page.locator("#on")).to_have_text("Next")


def test_the_offline_page_is_in_the_language_chosen_last(people):
    person = people().visit("/")
    assert person.page.evaluate(READY)
    open_settings(person).get_by_text("Deutsch", exact=True).click()
    expect(person.page.locator("h1")).to_have_text("Schnelle Duelle mit Zahlen")
    person.until("caches.keys().then(names => names.join().match(/^offline-de-[^,]+$/))")
    person.may_lose_connection = True
    person.context.set_offline(True)
    person.page.reload()
    expect(person.page.locator("h1")).to_have_text("Du bist offline")
    assert person.page.evaluate("document.documentElement.lang") == "de"
    assert english_on(person) == {}


def test_german_pages_have_no_violation(german, pair):
    one, _ = pair("number-collapse", listed=True)
    person = german(reduced_motion="reduce").visit("/")
    expect(person.page.locator(f"#live-matches a[href='{one.path}']")).to_be_visible()
    person.page.locator("summary").first.click()
    assert violations(person.page) == []
    open_settings(person)
    assert violations(person.page) == []
    person.visit("/rules/number-blossoms/")
    assert violations(person.page) == []
    person.create("number-blossoms")
    assert violations(person.page) == []


@pytest.mark.parametrize("slug", BARRED)
def test_a_german_match_has_no_violation(slug, german):
    moves, barred = BARRED[slug]
    both = german(reduced_motion="reduce")
    both.create(slug, device="same")
    for move in moves:
        play_on(both, move)
    both.touch_barred(barred)
    expect(both.reason).to_be_visible()
    assert violations(both.page) == []


# Finds elements that extend past the left or right edge of the window.
OVERFLOWING = """
() => [...document.querySelectorAll("button, a, label, legend, p, h1, h2, li, span")]
  .filter(part => part.checkVisibility() && !part.closest("[inert], #moves, .unseen, .bar"))
  .filter(part => {
    const { left, right } = part.getBoundingClientRect();
    return right > innerWidth + 1 || (left < -1 && !part.matches(".skip"));
  })
  .map(part => [part.id || part.className, part.textContent.trim()])
"""


def fits(person):
    return {
        "wide": max(person.page.evaluate(WIDE) - NARROW["width"], 0),
        "small": person.page.evaluate(SMALL),
        "cut": person.page.evaluate(OVERFLOWING),
    }


FITS = {"wide": 0, "small": [], "cut": []}


@pytest.mark.parametrize("slug", GAMES)
def test_german_words_fit_a_small_phone(slug, german, people, server):
    person = german(viewport=NARROW)
    person.visit("/")
    for summary in person.page.locator("summary").all():
        summary.click()
    assert fits(person) == FITS
    open_settings(person)
    assert fits(person) == FITS
    person.visit(f"/rules/{slug}/")
    assert fits(person) == FITS
    friend = people()
    friend.visit(person.create(slug))
    assert fits(person) == FITS
    friend.join("Wolfgang Amadeus")
    truth = fresh(server, person.match_id)
    while truth["status"] == "live":
        mover = (person, friend)[truth["turn"] - 1]
        expect(mover.legal.first).to_be_visible()
        assert fits(person) == FITS
        play_on(mover, truth["legal"][-1])
        truth = fresh(server, person.match_id)
        person.sees_moves(truth["version"])
    assert fits(person) == FITS
    person.page.locator("#review").click()
    expect(person.page.locator(".bar button").first).to_be_visible()
    # The bar has one button per move, so its buttons are small in any language.
    assert {**fits(person), "small": []} == FITS
    person.visit("/watch/")
    assert fits(person) == FITS


@pytest.mark.parametrize("slug", GAMES)
def test_the_german_board_fits_without_scrolling_and_nothing_shifts(slug, german):
    person = german(viewport=NARROW)
    person.page.add_init_script(RECORD_SHIFTS)
    person.create(slug, device="same")
    person.sees_the_board()
    play_on(person, person.legal_moves()[0])
    hidden = """
      () => [...document.querySelectorAll("#status, .player, #board .tile")]
        .filter(part => part.getBoundingClientRect().bottom > innerHeight)
        .map(part => part.id || part.textContent)
    """
    assert person.page.evaluate(hidden) == []
    assert person.page.evaluate("window.shifts") == []


# What tells a guest about their other matches is loaded when the page is already there.
LATER = ("me", "connect", "other-matches")


@pytest.mark.parametrize("page", ["lobby", "rules", "invitation", "match", "review", "watch"])
def test_a_german_page_stays_under_the_limit_and_loads_in_one_round_trip(page, german, people):
    person, came = german(), []
    paths = {"lobby": "/", "rules": "/rules/number-blossoms/", "watch": "/watch/"}
    path = paths.get(page) or person.create("number-blossoms")
    if page in ("match", "review"):
        people().visit(path).join()
        person.sees_the_board()
    if page == "review":
        person.page.locator("#resign").click()
        person.page.locator("#confirm-resign").get_by_role("button", name="Aufgeben").click()
        expect(person.page.locator("#review")).to_be_visible()
        path += "review/"
    # What the page before is still loading doesn't count, and couldn't be read after leaving it.
    person.page.wait_for_load_state("networkidle")
    person.page.on("response", lambda answer: came.append(answer))
    person.visit(path)
    person.page.wait_for_load_state("networkidle")
    parts = [
        one for one in came if one.request.resource_type in ("document", "script", "stylesheet")
    ]
    sizes = {one.url.rsplit("/", 1)[1]: len(one.body()) for one in parts}
    assert any(re.fullmatch(r"de\.\w+\.js", name) for name in sizes)
    assert sum(sizes.values()) < LIMIT, sizes
    html = next(one.text() for one in parts if one.request.resource_type == "document")
    if page not in ("lobby", "watch"):
        scripts = [name for name in sizes if name.endswith(".js") and name not in html]
        assert [name for name in scripts if name.split(".")[0] not in LATER] == []
