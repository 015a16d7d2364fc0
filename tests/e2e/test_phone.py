"""A small phone: no sideways scrolling, no layout shifts, large enough touch targets."""

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.e2e.conftest import meeting
from tests.live.client import fresh

WIDTH, HEIGHT = 360, 740
PHONE = {
    "viewport": {"width": WIDTH, "height": HEIGHT},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

# The tallest possible tower: a growing board must not move anything else.
TALLEST = (9, 3, 6, 2, 8, 4, 1, 7)

# Shifts within half a second of a touch don't count: the user expects them.
RECORD_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) {
      const moved = entry.sources.map(source => source.node?.id || source.node?.className || "?");
      window.shifts.push([entry.value, moved.join(" ")]);
    }
  }
}).observe({ type: "layout-shift", buffered: true });
"""

# Finds touch targets under 44 pixels. Links within a sentence are exempt; radio buttons and
# checkboxes count with their label. Uses layout sizes, because animations may start small.
SMALL = """
() => [...document.querySelectorAll("button, a, summary, input, select")]
  .filter(target => target.type !== "hidden" && !target.closest("[inert]"))
  .filter(target => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(target => !(target.matches("p a, li a") && getComputedStyle(target).display === "inline"))
  .map(target => target.matches("[type=radio], [type=checkbox]") ? target.closest("label") : target)
  .filter(target => Math.min(target.offsetWidth, target.offsetHeight) < 44)
  .map(target => [target.id || target.textContent.trim(), target.offsetWidth, target.offsetHeight])
"""

WIDE = "() => document.scrollingElement.scrollWidth"

# Layout positions, which animations don't affect. The move list has its own scrollbar.
PLACES = """
() => Object.fromEntries(
  [...document.querySelectorAll("#board .tile, .look > button, #actions button")]
    .map(target => {
      let [left, top] = [0, 0];
      for (let part = target; part; part = part.offsetParent) {
        left += part.offsetLeft;
        top += part.offsetTop;
      }
      return [target.id || `tile ${target.dataset.move}`, `${left}, ${top}`];
    }),
)
"""


class Walk:
    """Measurements of one match on two phones."""

    def __init__(self):
        self.wide, self.small, self.shifts, self.moved = {}, {}, {}, {}

    def measure(self, stage, person):
        if (width := person.page.evaluate(WIDE)) > WIDTH:
            self.wide[stage] = width
        if small := person.page.evaluate(SMALL):
            self.small[stage] = small

    def compare(self, stage, before, person):
        after = person.page.evaluate(PLACES)
        moved = {name: (at, after[name]) for name, at in before.items() if at != after[name]}
        if moved:
            self.moved.setdefault(stage, moved)


@pytest.fixture(scope="module", params=GAMES)
def walk(request, browser, server):
    """Play a match from the lobby to the result, and measure every stage."""
    slug = request.param
    walk = Walk()
    with meeting(browser, server) as meet:
        one, two = meet(**PHONE), meet(**PHONE)
        for person in (one, two):
            person.page.add_init_script(RECORD_SHIFTS)
        walk.measure("rules", one.visit(f"/rules/{slug}/"))
        path = one.create(slug)
        walk.measure("share", one)
        walk.measure("join", two.visit(path))
        two.join()
        one.has_turn()
        places = {person: person.page.evaluate(PLACES) for person in (one, two)}
        moves = iter(TALLEST if slug == "number-tower-duel" else ())
        truth = fresh(server, one.match_id)
        while truth["status"] == "live":
            mover = (one, two)[truth["turn"] - 1]
            mover.has_turn()
            mover.play(next(moves, truth["legal"][0]))
            truth = fresh(server, one.match_id)
            stage = f"after move {truth['version']}"
            for person in (one, two):
                person.sees_moves(truth["version"])
                walk.measure(stage, person)
                walk.compare(stage, places[person], person)
            # Reasons are shown on top of the page and must not shift it.
            if left := mover.moves_left():
                mover.touch_barred(left[0])
        for name, person in (("one", one), ("two", two)):
            walk.measure("finished", person)
            walk.shifts[name] = person.page.evaluate("window.shifts")
    return walk


def test_no_page_scrolls_sideways(walk):
    assert walk.wide == {}


def test_every_target_is_large_enough_for_a_finger(walk):
    assert walk.small == {}


def test_nothing_shifts_while_playing(walk):
    assert walk.shifts == {"one": [], "two": []}


def test_no_button_moves_under_a_finger(walk):
    assert walk.moved == {}


def test_the_lobby_fits_and_its_targets_are_large_enough(people, pair):
    one, _ = pair("number-tower-duel", listed=True)
    walk, person = Walk(), people(**PHONE)
    person.visit("/")
    expect(person.page.locator(f"#live-matches a[href='{one.path}']")).to_be_visible()
    for summary in person.page.locator("summary").all():
        summary.tap()
    walk.measure("lobby", person)
    assert walk.wide == {}
    assert walk.small == {}


@pytest.mark.parametrize("slug", GAMES)
def test_a_larger_board_fits(slug, people):
    walk, person = Walk(), people(**PHONE)
    person.create(slug, size="larger", device="same")
    for number in range(6):
        if person.legal.count():
            walk.measure(f"after move {number}", person)
            person.play(person.legal_moves()[-1])
    assert walk.wide == {}
    assert walk.small == {}


SEEN = """
() => [...document.querySelectorAll("#status, .player, #board .tile")]
  .filter(part => {
    const { top, left, bottom, right } = part.getBoundingClientRect();
    return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
  })
  .map(part => part.id || part.textContent)
"""


# 640 by 360 is a laptop window of 1280 by 720 at 200% zoom.
SIZES = [(320, 568), (360, 640), (568, 320), (640, 360), (740, 360), (1280, 720)]


@pytest.mark.parametrize("slug", GAMES)
def test_the_board_and_the_status_are_visible_without_scrolling(slug, people):
    person = people()
    person.create(slug, device="same")
    person.sees_the_board()
    person.play(person.legal_moves()[0])
    unseen = {}
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        if parts := person.page.evaluate(SEEN):
            unseen[width, height] = parts
    assert unseen == {}
