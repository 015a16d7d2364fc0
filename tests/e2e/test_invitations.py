"""Invitation links: sharing, joining, cancelling, and links that lead nowhere."""

import urllib.request

import pytest
from playwright.sync_api import expect

from tests.live.client import fresh


def is_told_of_the_cancelling(person):
    told = person.page.get_by_text("cancelled").filter(visible=True)
    expect(told.first).to_be_visible()
    expect(person.page.get_by_role("button", name="Join")).to_be_hidden()
    expect(person.page.locator("main").get_by_role("link", name="new match")).to_be_visible()


def test_cancelling_an_invitation_updates_it_for_everyone_who_has_it_open(people):
    one, two = people(), people()
    two.visit(one.create("chain-factor"))
    expect(two.page.get_by_role("button", name="Join")).to_be_visible()
    one.page.get_by_role("button", name="Cancel").click()
    for person in (one, two):
        is_told_of_the_cancelling(person)


def test_a_cancelled_match_has_a_friendly_page(people):
    one, late = people(), people()
    path = one.create("chain-factor")
    one.page.get_by_role("button", name="Cancel").click()
    is_told_of_the_cancelling(one)
    is_told_of_the_cancelling(late.visit(path))
    late.page.locator("main").get_by_role("link", name="new match").click()
    expect(late.page.locator(".card form")).to_have_count(5)


@pytest.mark.parametrize("path", ["/m/zzzzzzzz/", "/m/x/", "/nothing/here/", "/rules/no-game/"])
def test_a_wrong_address_has_a_friendly_page_with_a_link_to_the_lobby(path, people):
    person = people()
    person.may_see_status = 404
    person.visit(path)
    expect(person.page.locator("h1")).to_be_visible()
    person.page.locator("main").get_by_role("link").first.click()
    expect(person.page.locator(".card form")).to_have_count(5)


def test_a_third_person_watches_and_is_told_so(people):
    one, two, early, late = people(), people(), people(), people()
    path = one.create("number-collapse")
    early.visit(path)
    expect(early.page.get_by_role("button", name="Join")).to_be_visible()
    two.visit(path)
    two.join()
    late.visit(path)
    for person in (early, late):
        person.sees_the_board()
        expect(person.page.get_by_role("button", name="Join")).to_be_hidden()
        expect(person.page.locator("#watching")).to_be_visible()
        expect(person.page.locator("#resign")).to_be_hidden()
    expect(one.page.locator("#spectators")).to_have_text("2 watching")
    expect(one.page.locator("#watching")).to_be_hidden()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_link_preview_takes_no_seat(method, people, server):
    one, two = people(), people()
    path = one.create("number-eliminator")
    agent = {"User-Agent": "WhatsApp/2.23.20.0"}
    request = urllib.request.Request(server.http + path, headers=agent, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200
        assert not any("guest=" in cookie for cookie in answer.headers.get_all("Set-Cookie") or [])
    truth = fresh(server, one.match_id)
    assert truth["status"] == "open"
    two.visit(path)
    two.join()
    one.has_turn()


def test_copying_puts_the_link_on_the_clipboard(people):
    one = people(permissions=["clipboard-read", "clipboard-write"])
    one.create("number-blossoms")
    link = one.page.locator("#link").input_value()
    one.page.locator("#copy").click()
    expect(one.page.locator("#copy")).to_have_text("Copied")
    assert one.page.evaluate("navigator.clipboard.readText()") == link


def test_copying_works_without_the_clipboard_api_as_on_plain_http(people):
    one = people(permissions=["clipboard-read", "clipboard-write"])
    one.page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"
    )
    one.create("number-blossoms")
    assert one.page.evaluate("navigator.clipboard === undefined")
    link = one.page.locator("#link").input_value()
    one.page.locator("#copy").click()
    expect(one.page.locator("#copy")).to_have_text("Copied")
    # This tab has no clipboard API to read with; another tab does.
    tab = one.another_tab().visit("/")
    tab.page.bring_to_front()
    assert tab.page.evaluate("navigator.clipboard.readText()") == link


def test_a_second_tab_with_the_invitation_becomes_the_players_page(people):
    one, two = people(), people()
    path = one.create("chain-factor", starts="friend")
    two.visit(path)
    other = two.another_tab().visit(path)
    for tab in (two, other):
        expect(tab.page.get_by_role("button", name="Join")).to_be_visible()
    two.join()
    other.sees_the_board()
    other.has_turn()
    other.play(other.legal_moves()[0])
    two.sees_moves(1)


def test_somebody_who_was_too_late_is_told(people):
    one, two, late = people(), people(), people()
    path = one.create("chain-factor")
    for person in (two, late):
        person.visit(path)
        expect(person.page.get_by_role("button", name="Join")).to_be_visible()
    two.join()
    expect(late.page.locator("#news")).to_contain_text("You're watching")
    expect(late.page.locator("#watching")).to_be_visible()
