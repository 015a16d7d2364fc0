"""One's own record, in the browser."""

from playwright.sync_api import expect

from tests.e2e.test_accessibility import violations
from tests.e2e.test_phone import RECORD_SHIFTS

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
WIDER = "document.documentElement.scrollWidth > innerWidth"


def test_a_win_is_in_the_record_a_moment_later(people):
    person = people(**PHONE)
    person.page.add_init_script(RECORD_SHIFTS)
    person.visit("/me/record/")
    expect(person.page.locator(".notice")).to_contain_text("Nothing here yet")
    assert violations(person.page) == []

    one, two = person, people()
    two.visit(one.create("number-tower-duel"))
    two.join()
    one.has_turn()
    one.play(6)
    two.has_turn()
    two.play(3)
    one.has_turn()
    two.resign()
    one.page.locator("#my-matches").click()
    one.page.get_by_role("link", name="Record").click()
    deadline = 20
    while one.page.locator(".game").count() == 0 and deadline:
        one.page.wait_for_timeout(500)
        one.page.reload()
        deadline -= 1
    game = one.page.locator(".game")
    expect(game.locator("h2")).to_have_text("Number Tower Duel")
    expect(game.locator(".sums")).to_contain_text("100%")
    expect(game.locator("tbody tr")).to_have_count(1)
    expect(one.page.get_by_role("img", name="1 matches")).to_be_visible()
    one.page.locator("summary").click()
    expect(one.page.locator(".weeks table")).to_be_visible()
    assert violations(one.page) == []
    assert not one.page.evaluate(WIDER)
    assert one.page.evaluate("window.shifts") == []
