"""Animations: they follow the server's events, never block play, and respect reduced motion."""

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.games import facts_of
from tests.live.client import fresh

# Records which elements were animated, and counts celebrations.
WATCH = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.moved.push(this.className.baseVal ?? this.className);
  return animate.apply(this, given);
};
window.parties = 0;
new MutationObserver(changes => {
  for (const change of changes) {
    for (const node of change.addedNodes) if (node.matches?.(".party")) window.parties += 1;
  }
}).observe(document, { childList: true, subtree: true });
"""


def watched(person):
    person.page.add_init_script(WATCH)
    person.page.reload()
    return person


@pytest.mark.parametrize("slug", GAMES)
def test_a_move_is_animated_on_both_boards(slug, pair):
    one, two = (watched(person) for person in pair(slug))
    one.has_turn()
    one.play(fresh(one.server, one.match_id)["legal"][-1])
    two.sees_moves(1)
    for person in (one, two):
        moved = person.page.evaluate("window.moved")
        assert [name for name in moved if facts_of(slug).MOVING in name], moved


@pytest.mark.parametrize("slug", GAMES)
def test_nothing_is_animated_with_reduced_motion(slug, people):
    both = people(reduced_motion="reduce")
    both.create(slug, device="same")
    watched(both).sees_the_board()
    both.play(both.legal_moves()[-1])
    both.play(both.legal_moves()[-1])
    both.resign()
    assert both.page.evaluate("window.moved") == []
    running = "document.getAnimations().filter(one => one.playState === 'running').length"
    assert both.page.evaluate(running) == 0


def test_nobody_has_to_wait_for_an_animation(people):
    """Play the next number while the last one is still falling."""
    both = people()
    both.create("number-tower-duel", device="same")
    for move in (6, 3, 9, 1):
        both.page.locator(f".tile.legal[data-move='{move}']").click(no_wait_after=True)
        expect(both.page.locator(".storey.last")).to_contain_text(str(move))
    both.sees_moves(4)


def test_the_winner_is_celebrated_and_the_loser_is_not(pair, people):
    one, two = (watched(person) for person in pair())
    spectator = watched(people().visit(one.path))
    expect(spectator.page.locator("#watching")).to_be_visible()
    one.has_turn()
    one.resign()
    two.sees_status("You win")
    spectator.sees_status("wins")
    two.page.wait_for_function("window.parties === 1")
    spectator.page.wait_for_function("window.parties === 1")
    # The celebration removes itself.
    expect(two.page.locator(".party")).to_have_count(0)
    assert one.page.evaluate("window.parties") == 0
    assert two.page.locator("#player-2.winner").count() == 1


def test_opening_a_finished_match_does_not_celebrate_again(pair):
    one, two = pair()
    one.resign()
    two.sees_status("You win")
    watched(two)
    two.sees_status("You win")
    two.page.wait_for_load_state("networkidle")
    assert two.page.evaluate("window.parties") == 0
