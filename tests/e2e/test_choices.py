"""What was chosen for the last match is chosen again for the next one."""

from playwright.sync_api import expect

from tests.e2e.test_phone import RECORD_SHIFTS


def card_of(person, slug):
    return person.page.locator(f".card.{slug}")


def chosen_in(card):
    return {
        name: card.locator(f"input[name={name}]:checked").input_value()
        for name in ("starts", "level", "size", "pace")
    }


USUAL = {"starts": "lot", "level": "casual", "size": "classic", "pace": ""}


def test_choices_are_remembered_on_this_device(people):
    person = people().visit("/")
    for slug in ("chain-factor", "number-collapse"):
        assert chosen_in(card_of(person, slug)) == USUAL
    expect(person.page.locator(".last-played:visible")).to_have_count(0)
    card = card_of(person, "chain-factor")
    card.locator("summary").click()
    wanted = {"starts": "friend", "level": "perfect", "size": "larger", "pace": "now"}
    for name, value in wanted.items():
        card.locator(f"input[name={name}][value={value}]").check()
    card.get_by_role("button", name="Play a friend").click()
    person.page.wait_for_url("**/m/*/")
    expect(person.page.locator("#waiting .pace")).to_contain_text("Play now")

    person.page.add_init_script(RECORD_SHIFTS)
    person.visit("/")
    assert chosen_in(card_of(person, "chain-factor")) == wanted
    # The other games have sizes of their own.
    assert chosen_in(card_of(person, "number-collapse")) == {**wanted, "size": "classic"}
    expect(person.page.locator(".last-played:visible")).to_have_count(1)
    expect(card_of(person, "chain-factor").locator(".last-played")).to_be_visible()
    expect(card_of(person, "chain-factor").locator(".kept")).to_be_visible()
    person.page.wait_for_load_state("networkidle")
    assert person.page.evaluate("window.shifts") == []

    another = people().visit("/")
    assert chosen_in(card_of(another, "chain-factor")) == USUAL


def test_odd_or_blocked_storage_does_no_harm(people):
    person = people()
    person.page.add_init_script("localStorage.setItem('choices', '{\"starts\": [1], \"sizes\": 7')")
    person.visit("/")
    assert chosen_in(card_of(person, "chain-factor")) == USUAL
    blocked = people()
    blocked.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })"
    )
    blocked.create("chain-factor", starts="friend")
    blocked.visit("/")
    assert chosen_in(card_of(blocked, "chain-factor")) == USUAL
