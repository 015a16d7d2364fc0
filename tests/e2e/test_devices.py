"""One person on several devices: each is a browser of its own."""

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.test_accessibility import violations
from tests.e2e.test_german import GERMAN, english_on
from tests.e2e.test_phone import PHONE, RECORD_SHIFTS, SMALL, WIDE
from tests.e2e.test_weight import LIMIT, SIZES
from tests.live.client import fresh, join, new_guest


def link_on(person):
    """Show the link to another device; return it without the host, which is the local network's."""
    person.visit("/me/devices/")
    person.page.get_by_role("button", name="Show the code").click()
    expect(person.page.locator("#qr svg")).to_be_visible()
    link = urlsplit(person.page.locator("#link").input_value())
    return f"{link.path}#{link.fragment}"


def arrive(person, link):
    person.visit(link)
    person.page.get_by_role("button", name="Continue on this device").click()
    return person


def rows(person):
    return person.page.locator("#devices li")


def token_of(person):
    """Return the token in the cookie that says who this browser is."""
    return next(one["value"] for one in person.context.cookies() if one["name"] == "guest")


def test_a_match_goes_on_on_another_device(people, server):
    laptop, phone = people(), people(**PHONE)
    path = laptop.create("number-tower-duel")
    link = link_on(laptop)
    assert link.startswith("/me/arrive/#")
    arrive(phone, link)
    phone.page.wait_for_url("**/me/devices/")
    expect(rows(phone)).to_have_count(2)
    expect(rows(phone).first).to_contain_text("This device")
    join(server, path.split("/")[2], new_guest(server))
    phone.visit(path)
    phone.has_turn()
    phone.play(6)
    laptop.visit(path)
    laptop.sees_moves(1)


def test_the_secret_is_gone_from_the_address_and_a_link_works_once(people):
    laptop, phone, late = people(), people(), people()
    laptop.create("chain-factor")
    link = link_on(laptop)
    late.may_see_status = 410
    for person in (phone, late):
        person.visit(link)
        expect(person.page.get_by_role("button", name="Continue")).to_be_enabled()
        assert "#" not in person.page.url
    phone.page.get_by_role("button", name="Continue").click()
    phone.page.wait_for_url("**/me/devices/")
    late.page.get_by_role("button", name="Continue").click()
    expect(late.page.locator("#problem")).to_have_text(
        "This link was already used. Ask for a new one on your other device."
    )


def test_without_a_secret_there_is_nothing_to_redeem(people):
    person = people().visit("/me/arrive/")
    expect(person.page.locator("#no-secret")).to_contain_text("nothing to redeem")
    expect(person.page.get_by_role("button", name="Continue")).to_be_disabled()


@pytest.mark.parametrize("choice", ["Keep both together", "Leave the old ones behind"])
def test_a_device_with_matches_is_asked_first(people, server, choice):
    laptop, phone = people(), people()
    laptop.create("chain-factor")
    path = phone.create("number-tower-duel")
    phone.may_see_status = 409
    arrive(phone, link_on(laptop))
    question = phone.page.locator("#merge")
    expect(question).to_contain_text("matches: 1")
    assert violations(phone.page) == []
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_be_hidden()
    phone.page.get_by_role("button", name="Continue").click()
    question.get_by_role("button", name=choice).click()
    phone.page.wait_for_url("**/me/devices/")
    snapshot = fresh(server, path.split("/")[2], token_of(phone))
    assert snapshot["you"] == ([1] if choice == "Keep both together" else [])


def test_a_recovery_code_brings_somebody_back(people, server):
    old, new = people(), people()
    path = old.create("chain-factor")
    old.visit("/me/devices/")
    old.page.get_by_role("button", name="Make a code").click()
    expect(old.page.locator("#code")).to_have_value(re.compile(r"^([a-z]+ ){6}[a-z]+$"))
    code = old.page.locator("#code").input_value()
    expect(old.page.locator("#has-code")).to_be_visible()
    expect(old.page.get_by_role("button", name="Make a new code")).to_be_visible()
    assert violations(old.page) == []
    old.page.reload()
    expect(old.page.locator("#has-code")).to_be_visible()
    assert code not in old.page.content()
    new.may_see_status = 400
    new.visit("/me/devices/")
    new.page.locator("#typed").fill("apple tiger")
    new.page.get_by_role("button", name="Bring me back").click()
    expect(new.page.locator("#problem")).to_have_text("A recovery code has 7 words.")
    new.page.locator("#typed").fill(code.upper().replace(" ", "-"))
    new.page.keyboard.press("Enter")
    expect(rows(new)).to_have_count(2)
    new.visit(path)
    expect(new.page.get_by_role("button", name="Cancel invitation")).to_be_visible()
    old.page.get_by_role("button", name="Delete the code").click()
    expect(old.page.locator("#has-code")).to_be_hidden()


def test_a_device_that_is_signed_out_stops_at_once(people, server):
    laptop, phone = people(), people()
    path = laptop.create("number-tower-duel")
    arrive(phone, link_on(laptop))
    phone.page.wait_for_url("**/me/devices/")
    join(server, path.split("/")[2], new_guest(server))
    phone.visit(path)
    phone.has_turn()
    laptop.page.reload()
    laptop.page.get_by_role("button", name="Sign out all others").click()
    expect(rows(laptop)).to_have_count(1)
    expect(phone.page.locator("#connection")).to_contain_text("were signed out")
    phone.page.reload()
    expect(phone.page.locator("#watching")).to_be_visible()
    laptop.visit(path)
    laptop.has_turn()


def test_signing_this_device_out_asks_first(people):
    person = people()
    person.create("chain-factor")
    person.visit("/me/devices/")
    rows(person).get_by_role("button").click()
    expect(person.page.locator("#no-way-back")).to_be_visible()
    dialog = person.page.locator("#confirm-sign-out")
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).to_be_hidden()
    rows(person).get_by_role("button").click()
    dialog.get_by_role("button", name="Sign out").click()
    person.page.wait_for_url(lambda url: urlsplit(url).path == "/")
    person.visit("/me/devices/")
    expect(person.page.locator("#devices")).to_have_count(0)


def test_a_forgotten_player_is_shown_as_a_former_one(people, pair):
    one, two = pair()
    one.play(9)
    two.sees_moves(1)
    tab = one.another_tab().visit("/me/devices/")
    tab.page.get_by_role("button", name="Forget me").click()
    dialog = tab.page.locator("#confirm-forget")
    expect(dialog).to_contain_text("This can't be undone.")
    assert violations(tab.page) == []
    dialog.get_by_role("button", name="Delete everything").click()
    tab.page.wait_for_url(lambda url: urlsplit(url).path == "/")
    expect(two.status).to_contain_text("win")
    expect(two.page.locator(".player .name").first).to_have_text("A former player")
    expect(one.page.locator("#connection")).to_contain_text("were signed out")
    assert not [cookie for cookie in one.context.cookies() if cookie["name"] == "guest"]
    two.visit(f"{two.path}review/")
    expect(two.page.get_by_text("A former player").first).to_be_visible()


def test_what_is_stored_can_be_downloaded(people):
    person = people()
    path = person.create("chain-factor")
    person.visit("/me/devices/")
    with person.page.expect_download() as downloading:
        person.page.get_by_role("link", name="Download my data").click()
    assert downloading.value.suggested_filename == "numgames.json"
    found = json.loads(downloading.value.path().read_text())
    assert [match["id"] for match in found["matches"]] == [path.split("/")[2]]


def test_the_page_has_no_violation_and_works_by_keyboard(people):
    person = people()
    person.visit("/me/devices/")
    assert violations(person.page) == []
    person.create("chain-factor")
    link_on(person)
    assert violations(person.page) == []
    person.visit("/me/arrive/#" + "x" * 22)
    assert violations(person.page) == []
    person.may_see_status = 404
    person.page.get_by_role("button", name="Continue").focus()
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#problem")).to_contain_text("doesn't work")


@pytest.mark.parametrize("size", SIZES)
def test_nothing_shifts_and_everything_fits(size, people):
    width, height = size
    person = people(viewport={"width": width, "height": height})
    arrive(people(), link_on(people_with_match(person))).page.wait_for_url("**/me/devices/")
    person.page.get_by_role("button", name="Make a code").click()
    expect(person.page.locator("#has-code")).to_be_visible()
    person.page.add_init_script(RECORD_SHIFTS)
    person.visit("/me/devices/")
    expect(rows(person).nth(1)).to_contain_text("Last used")
    person.page.wait_for_load_state("networkidle")
    assert person.page.evaluate("window.shifts") == []
    assert person.page.evaluate(WIDE) <= width
    person.page.get_by_role("button", name="Show the code").click()
    expect(person.page.locator("#qr svg")).to_be_visible()
    assert person.page.evaluate(WIDE) <= width
    assert person.page.evaluate(SMALL) == []


def people_with_match(person):
    person.create("chain-factor")
    return person


def test_the_pages_are_in_german_and_light(people):
    person, sizes = people(**GERMAN), []
    person.create("chain-factor")
    person.page.on(
        "response",
        lambda answer: (
            sizes.append(len(answer.body()))
            if answer.request.resource_type in ("document", "script", "stylesheet")
            else None
        ),
    )
    person.visit("/me/devices/")
    person.page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) < LIMIT
    person.page.get_by_role("button", name="Code zeigen").click()
    expect(person.page.locator("#qr svg")).to_be_visible()
    person.page.get_by_role("button", name="Code erzeugen").click()
    expect(person.page.locator("#code-panel")).to_be_visible()
    assert english_on(person, "Chrome", "Linux") == {}
    person.may_see_status = 404
    person.visit("/me/arrive/#" + "x" * 22)
    assert english_on(person) == {}
    person.page.get_by_role("button", name="weitermachen").click()
    expect(person.page.locator("#problem")).to_contain_text("Dieser Link funktioniert nicht")
