"""Enlarged pages: 200% zoom on a desktop, and a larger font size on a phone."""

import pytest

from games.rules import GAMES
from tests.e2e.conftest import meeting
from tests.e2e.test_phone import WIDE

# A window of 1280 by 720 at 200% zoom.
ENLARGED = {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# Finds overlapping texts in a row, except in the move list, which has its own scrollbar.
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
    """Visit every kind of page."""
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
    """Return the pages on which something does not fit."""
    width = person.page.viewport_size["width"]
    found = {}
    for name, page in pages(person):
        wide, covered = page.page.evaluate(WIDE), page.page.evaluate(COVERED)
        if wide > width or covered:
            found[name] = wide, covered
    return found


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_everything_fits_at_200_percent_zoom(people, language):
    assert too_large(people(**ENLARGED, locale=language)) == {}


@pytest.fixture(scope="module")
def large_letters(launch):
    """A browser with a font size 50% larger than the default."""
    with launch("--blink-settings=defaultFontSize=24") as browser:
        yield browser


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_everything_fits_a_phone_with_a_50_percent_larger_font(large_letters, server, language):
    with meeting(large_letters, server) as meet:
        assert too_large(meet(**PHONE, locale=language)) == {}
