"""For eyes that want it larger: pages at twice their size, and phones with larger letters."""

import pytest

from games.rules import GAMES
from tests.e2e.conftest import meeting
from tests.e2e.test_phone import WIDE

# What a window of 1280 by 720 has left at 200 %.
ENLARGED = {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# Texts in a row must not lie on each other. The list of moves scrolls by itself.
COVERED = """
() => {
  const boxes = [];
  for (const row of document.querySelectorAll(".top, .look, #actions, .player")) {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!text.data.trim() || text.parentElement.closest(".unseen, #moves")) continue;
      const range = document.createRange();
      range.selectNode(text);
      const box = range.getBoundingClientRect();
      if (box.width) boxes.push([text.data.trim(), box]);
    }
  }
  const lie = (one, two) =>
    Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
    Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
  return boxes.flatMap(([name, box], n) =>
    boxes.slice(n + 1)
      .filter(([, other]) => lie(box, other))
      .map(([other]) => `${name} / ${other}`));
}
"""


def pages(person):
    """Goes to every kind of page."""
    yield "lobby", person.visit("/")
    yield "watch", person.visit("/watch/")
    yield "rules", person.visit("/rules/number-blossoms/")
    person.create("chain-factor")
    yield "invitation", person
    for slug in GAMES:
        person.create(slug, device="same")
        person.sees_the_board()
        yield slug, person
    while person.legal.count():
        person.play(person.legal_moves()[0])
    yield "result", person
    person.page.locator("#review").click()
    person.page.locator("#bar button").first.wait_for()
    yield "review", person


def too_large(person):
    """The pages on which something does not fit."""
    width = person.page.viewport_size["width"]
    found = {}
    for name, page in pages(person):
        wide, covered = page.page.evaluate(WIDE), page.page.evaluate(COVERED)
        if wide > width or covered:
            found[name] = wide, covered
    return found


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_pages_can_be_enlarged_to_twice_their_size(people, language):
    assert too_large(people(**ENLARGED, locale=language)) == {}


@pytest.fixture(scope="module")
def large_letters(launch):
    """A browser set to letters half as large again."""
    with launch("--blink-settings=defaultFontSize=24") as browser:
        yield browser


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_letters_can_be_half_as_large_again_on_a_phone(large_letters, server, language):
    with meeting(large_letters, server) as meet:
        assert too_large(meet(**PHONE, locale=language)) == {}
