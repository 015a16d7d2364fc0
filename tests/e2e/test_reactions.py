"""Reactions: shown beside their sender, announced politely, rate-limited, and easy to mute."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.test_accessibility import violations
from tests.e2e.test_motion import WATCH
from tests.e2e.test_phone import RECORD_SHIFTS, SMALL, WIDE
from tests.e2e.test_settings import open_settings

REACTIONS = ["hello", "well_played", "wow", "oops", "thinking", "thanks"]
SMALLEST = {"width": 320, "height": 568}


# Sockets seem to be connecting until `window.letOpen()` is called.
HELD_BACK = """
    const state = Object.getOwnPropertyDescriptor(WebSocket.prototype, "readyState").get;
    const opened = new Promise((resolve) => { window.letOpen = resolve; });
    let isOpen = false;
    opened.then(() => { isOpen = true; });
    Object.defineProperty(WebSocket.prototype, "readyState", {
      get() { return isOpen ? state.call(this) : WebSocket.CONNECTING; },
    });
    Object.defineProperty(WebSocket.prototype, "onopen", {
      set(tell) { this.addEventListener("open", (event) => opened.then(() => tell(event))); },
    });
"""


def react(person, reaction):
    person.press(person.page.locator("#react"))
    person.press(person.page.locator(f"#reaction-choices [value={reaction}]"))
    expect(person.page.locator("#reaction-choices")).to_be_hidden()


def bubble(person, by, reaction):
    place = f"#player-{by}" if by else "#crowd"
    return person.page.locator(f"{place} .reaction[data-reaction={reaction}]")


def freeze(person):
    """Stop the page's clock, so that timeouts wait until `clock.fast_forward`."""
    person.page.clock.install(time=0)
    person.page.clock.pause_at(10)


def mute(person):
    dialog = open_settings(person)
    dialog.locator("#reactions").uncheck()
    dialog.get_by_role("button", name="Done").click()


def test_everyone_briefly_sees_who_reacted(pair, people):
    one, two = pair()
    spectator = people().visit(one.path)
    expect(spectator.page.locator("#watching")).to_be_visible()
    everyone = (one, two, spectator)
    for person, by, reaction in ((one, 1, "wow"), (two, 2, "thanks"), (spectator, None, "oops")):
        react(person, reaction)
        for each in everyone:
            expect(bubble(each, by, reaction)).to_be_visible()
    for each in everyone:
        expect(each.page.locator(".reaction:visible")).to_have_count(0)
        expect(each.page.locator("#reacted")).to_be_empty()


def test_there_are_six_reactions_and_each_has_a_text(pair):
    one, two = pair()
    one.page.locator("#react").click()
    choices = one.page.locator("#reaction-choices button")
    assert choices.evaluate_all("choices => choices.map(choice => choice.value)") == REACTIONS
    for choice in choices.all():
        assert choice.inner_text().strip()
    one.page.locator("#status").click()
    expect(choices.first).to_be_hidden()
    assert one.asked() == two.asked() == []


def test_a_reaction_is_announced_politely_with_the_name(pair):
    one, two = pair()
    name = two.page.locator("#player-1 .name").inner_text()
    assert two.page.locator("#reacted").get_attribute("role") == "status"
    react(one, "well_played")
    words = bubble(two, 1, "well_played").inner_text()
    expect(two.page.locator("#reacted")).to_have_text(f"{name}: {words}")
    expect(bubble(two, 1, "well_played")).to_have_attribute("aria-hidden", "true")


def test_reactions_can_be_muted_and_stay_muted(pair):
    one, two = pair()
    mute(two)
    two.page.reload()
    two.waits()
    expect(two.page.locator("#react")).to_be_hidden()
    two.page.evaluate(
        """
        window.heard = 0;
        const region = document.querySelector("#reacted");
        new MutationObserver(() => (window.heard += 1)).observe(region, { childList: true });
        """
    )
    react(one, "hello")
    expect(bubble(one, 1, "hello")).to_be_visible()
    # The move came after the reaction on the same socket, so the reaction has arrived too.
    one.play(6)
    two.has_turn()
    assert two.page.locator(".reaction:visible").count() == 0
    assert two.page.evaluate("window.heard") == 0

    open_settings(two).locator("#reactions").check()
    two.page.locator("#settings").get_by_role("button", name="Done").click()
    react(one, "wow")
    expect(bubble(two, 1, "wow")).to_be_visible()


def test_muting_hides_a_reaction_that_is_on_screen(pair):
    one, two = pair()
    freeze(two)
    react(one, "hello")
    expect(bubble(two, 1, "hello")).to_be_visible()
    mute(two)
    expect(bubble(two, 1, "hello")).to_be_hidden()
    expect(two.page.locator("#react")).to_be_hidden()


def test_too_many_reactions_at_once_are_refused_with_a_reason(pair):
    one, _ = pair()
    refusals = []

    def note(text):
        message = json.loads(text)
        if message["type"] == "rejected":
            refusals.append(message["code"])

    one.page.on("websocket", lambda socket: socket.on("framereceived", note))
    one.page.reload()
    one.has_turn()
    # Click from a script, so that it is too fast even on a slow machine.
    hello = one.page.locator("#reaction-choices [value=hello]")
    hello.evaluate("choice => { for (let count = 0; count < 6; count += 1) choice.click(); }")
    expect(one.reason).to_be_visible()
    assert set(refusals) == {"too_fast"}


def test_a_reaction_chosen_before_the_page_has_connected_is_sent_then(pair):
    one, two = pair()
    one.page.add_init_script(HELD_BACK)
    one.page.reload()
    one.has_turn()
    react(one, "wow")
    assert one.asked() == []
    one.page.evaluate("letOpen()")
    expect(bubble(two, 1, "wow")).to_be_visible()


def test_reactions_work_with_the_keyboard_alone(pair):
    one, two = pair()
    opener, choices = one.page.locator("#react"), one.page.locator("#reaction-choices")
    opener.press("Enter")
    expect(opener).to_have_attribute("aria-expanded", "true")
    expect(choices.locator("button").first).to_be_focused()
    one.page.keyboard.press("Escape")
    expect(choices).to_be_hidden()
    expect(opener).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "false")
    one.page.keyboard.press("Enter")
    one.page.keyboard.press("Tab")
    one.page.keyboard.press("Enter")
    expect(bubble(two, 1, "well_played")).to_be_visible()
    expect(opener).to_be_focused()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_bubble_is_animated_unless_motion_is_reduced(motion, pair, people):
    one, _ = pair()
    spectator = people(reduced_motion=motion)
    spectator.page.add_init_script(WATCH)
    spectator.visit(one.path)
    expect(spectator.page.locator("#watching")).to_be_visible()
    react(one, "wow")
    expect(bubble(spectator, 1, "wow")).to_be_visible()
    assert ("reaction" in spectator.page.evaluate("window.moved")) == (motion != "reduce")


def test_nothing_shifts_overflows_or_is_too_small_on_the_smallest_phone(pair, people):
    one, two = pair()
    spectator = people(viewport=SMALLEST, has_touch=True, is_mobile=True)
    spectator.page.add_init_script(RECORD_SHIFTS)
    spectator.visit(one.path)
    expect(spectator.page.locator("#watching")).to_be_visible()
    for person, by in ((one, 1), (two, 2)):
        react(person, "well_played")
        expect(bubble(spectator, by, "well_played")).to_be_visible()
        assert overflowing(bubble(spectator, by, "well_played")) == [False, False]
    spectator.press(spectator.page.locator("#react"))
    assert spectator.page.evaluate(SMALL) == []
    assert spectator.page.evaluate(WIDE) == 320
    for button in spectator.page.locator("#reaction-choices button").all():
        expect(button).to_be_in_viewport(ratio=1)
    spectator.press(spectator.page.locator("#reaction-choices [value=wow]"))
    expect(bubble(spectator, None, "wow")).to_be_in_viewport(ratio=1)
    assert spectator.page.evaluate("window.shifts") == []


def overflowing(target):
    """Return whether the text overflows its bubble, horizontally and vertically."""
    return target.evaluate(
        "box => [box.scrollWidth > box.clientWidth, box.scrollHeight > box.clientHeight]"
    )


def test_reactions_have_no_violation(pair):
    one, two = pair()
    react(two, "thanks")
    expect(bubble(one, 2, "thanks")).to_be_visible()
    one.page.locator("#react").click()
    # Freezing the clock would stop axe-core too, so show the bubble again by hand.
    expect(bubble(one, 2, "thanks")).to_be_hidden()
    bubble(one, 2, "thanks").evaluate("bubble => { bubble.hidden = false; }")
    assert violations(one.page) == []
    expect(bubble(one, 2, "thanks")).to_be_visible()
