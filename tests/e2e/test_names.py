"""A name that stays: set once, kept across pages and matches, seen by everyone at once."""

import pytest
from playwright.sync_api import expect

from tests.e2e.test_phone import RECORD_SHIFTS
from tests.e2e.test_settings import open_settings
from tests.live.client import call, new_guest, new_match

ASTRONAUT = "Ada 👩🏽\u200d🚀"


def name_in_settings(person):
    return open_settings(person).get_by_label("Your name")


def choose_in_settings(person, name):
    field = name_in_settings(person)
    field.fill(name)
    person.page.locator("#settings").get_by_role("button", name="Done").click()
    expect(person.page.locator("#settings")).to_be_hidden()


def on_invitation(person):
    return person.page.locator("#waiting").get_by_label("Your name")


def test_a_name_set_on_an_invitation_is_kept_across_pages_and_matches(people):
    one, friend = people(), people()
    path = one.create("chain-factor")
    assert on_invitation(one).get_attribute("placeholder")
    on_invitation(one).fill(ASTRONAUT)
    on_invitation(one).blur()
    expect(one.page.locator("#name-said")).to_have_text("Saved.")
    friend.visit(path)
    expect(friend.page.locator("#waiting-title")).to_have_text(
        f"{ASTRONAUT} invites you to a match"
    )
    friend.join()
    expect(one.page.locator("#player-1 .name")).to_have_text(ASTRONAUT)
    for page in ("/", "/rules/chain-factor/", path):
        one.visit(page)
        expect(name_in_settings(one)).to_have_value(ASTRONAUT)
    one.create("number-blossoms")
    expect(on_invitation(one)).to_have_value(ASTRONAUT)


def test_on_joining_the_name_is_filled_in_and_nothing_shifts(people, server):
    token = new_guest(server)
    call(server, "PATCH", "/api/me/", {"name": "Bo"}, token)
    person = people().is_guest(token)
    person.page.add_init_script(RECORD_SHIFTS)
    person.visit(f"/m/{new_match(server, new_guest(server))}/")
    expect(person.page.locator(".join").get_by_label("Your name")).to_have_value("Bo")
    assert person.page.evaluate("window.shifts") == []
    person.join()
    expect(person.page.locator("#player-2 .name")).to_have_text("Bo")


def test_a_new_name_is_seen_by_the_other_player_at_once(pair):
    one, two = pair()
    choose_in_settings(two, "Bob")
    for person in (one, two):
        expect(person.page.locator("#player-2 .name")).to_have_text("Bob")
    expect(one.page.locator("#status")).to_contain_text("Your turn")
    one.play(6)
    expect(one.page.locator("#status")).to_have_text("Bob's turn")


def test_a_friend_who_has_the_invitation_open_sees_the_new_name(people):
    one, friend = people(), people()
    friend.visit(one.create("chain-factor"))
    choose_in_settings(one, "Ada")
    expect(friend.page.locator("#waiting-title")).to_have_text("Ada invites you to a match")


def test_an_emptied_field_brings_the_generated_name_back(people):
    one = people()
    one.create("chain-factor")
    generated = on_invitation(one).get_attribute("placeholder")
    choose_in_settings(one, "Ada")
    expect(on_invitation(one)).to_have_value("Ada")
    choose_in_settings(one, "")
    expect(on_invitation(one)).to_have_value("")
    expect(on_invitation(one)).to_have_attribute("placeholder", generated)


@pytest.mark.parametrize("path", ["/", "/rules/chain-factor/", "/nowhere/"])
def test_a_new_visitor_can_choose_a_name_on_any_page(path, people):
    person = people()
    person.may_see_status = 404
    person.visit(path)
    choose_in_settings(person, "Ada")
    person.visit("/")
    expect(name_in_settings(person)).to_have_value("Ada")


@pytest.mark.parametrize(
    ("locale", "sentence", "done", "label"),
    [
        ("en", "Only the computer may be called that.", "Done", "Your name"),
        ("de", "So darf nur der Computer heißen.", "Fertig", "Dein Name"),
    ],
)
def test_a_name_that_is_refused_keeps_the_settings_open(locale, sentence, done, label, people):
    person = people(locale=locale)
    person.may_see_status = 400
    person.visit("/")
    dialog = open_settings(person)
    dialog.get_by_label(label).fill("The Computer")
    dialog.get_by_role("button", name=done).click()
    expect(dialog.locator("#settings-name-said")).to_contain_text(sentence)
    expect(dialog).to_be_visible()
    dialog.get_by_label(label).fill("Ada")
    dialog.get_by_role("button", name=done).click()
    expect(dialog).to_be_hidden()


def test_a_name_that_is_too_long_is_noticed_while_it_is_typed(people, server):
    person = people().visit(f"/m/{new_match(server, new_guest(server))}/")
    field = person.page.locator(".join").get_by_label("Your name")
    field.fill("👩🏽\u200d🚀" * 20)
    assert field.evaluate("field => field.checkValidity()")
    field.fill("x" * 21)
    expect(person.page.locator(".join input:invalid")).to_have_count(1)
    person.page.get_by_role("button", name="Join").click()
    assert "20" in field.evaluate("field => field.validationMessage")
    person.join("x" * 20)


def test_the_settings_do_not_open_a_phones_keyboard(people):
    person = people().visit("/")
    dialog = open_settings(person)
    expect(dialog.locator("h2")).to_be_focused()
    dialog.get_by_label("Your name").press("Enter")
    expect(dialog).to_be_visible()


def test_without_scripts_a_friend_can_still_join_with_a_name(people, server):
    path = f"/m/{new_match(server, new_guest(server))}/"
    person = people(java_script_enabled=False).visit(path)
    person.page.locator(".join input[name=name]").fill(ASTRONAUT)
    person.page.get_by_role("button", name="Join").click()
    expect(person.page.locator("#player-2 .name")).to_have_text(ASTRONAUT)
