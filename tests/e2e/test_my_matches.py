"""The way back to one's matches: the page, the number in the header, the strip in the lobby."""

from playwright.sync_api import expect
from websockets.sync.client import connect

from tests.e2e.test_phone import RECORD_SHIFTS
from tests.live.client import join, new_guest, new_match, new_pair


def count(person):
    return person.page.locator("#my-matches .count")


def rows(person, section):
    return person.page.locator(f"#{section} li.mine")


def test_a_match_is_found_again_after_its_tab_was_closed(people):
    one, two = people(), people()
    path = one.create("chain-factor", starts="friend")
    two.visit(path)
    two.join()
    two.has_turn()
    two.visit("/")
    expect(count(two)).to_have_text("1")
    expect(two.page.locator("#my-matches")).to_have_accessible_name(
        "Your matches: 1 waiting for you"
    )
    expect(two.page.locator("#strip .chip")).to_contain_text("Your turn")
    two.page.locator("#my-matches").click()
    expect(rows(two, "your-turn")).to_have_count(1)
    expect(rows(two, "your-turn")).to_contain_text("Chain Factor")
    rows(two, "your-turn").get_by_role("link").click()
    two.has_turn()
    two.play(two.legal_moves()[0])
    one.has_turn()


def test_the_list_changes_while_it_is_open(people, server):
    match_id, one, two = new_pair(server)
    reader = people().is_guest(one).visit("/me/")
    player = people().is_guest(two).visit(f"/m/{match_id}/")
    expect(rows(reader, "your-turn")).to_have_count(1)
    mine = people().is_guest(one).visit(f"/m/{match_id}/")
    mine.has_turn()
    mine.play(6)
    expect(rows(reader, "waiting")).to_have_count(1)
    expect(rows(reader, "your-turn")).to_have_count(0)
    expect(count(reader)).to_be_empty()
    player.has_turn()
    player.resign()
    expect(rows(reader, "finished")).to_contain_text("You won")
    expect(rows(reader, "finished")).to_contain_text("resigned")
    # A rematch is one tap away.
    rows(reader, "finished").get_by_role("button", name="Rematch").click()
    expect(player.page.locator("#rematch")).to_have_text("Accept rematch")
    expect(rows(reader, "finished").get_by_role("button")).to_contain_text("Withdraw")
    player.page.locator("#rematch").click()
    expect(rows(reader, "waiting")).to_have_count(1)
    expect(rows(reader, "finished").get_by_role("link", name="Next match")).to_be_visible()


def test_the_number_in_the_header_changes_on_a_matchs_page(people, server):
    here, one, _two = new_pair(server)
    person = people().is_guest(one).visit(f"/m/{here}/")
    person.has_turn()
    # This match itself is in front of the reader, and doesn't count.
    expect(count(person)).to_be_empty()
    friend = new_guest(server)
    there = new_match(server, friend, starts="friend")
    join(server, there, one)
    expect(count(person)).to_have_text("1")


def test_an_invitation_can_be_copied_and_cancelled(people, server):
    token = new_guest(server)
    match_id = new_match(server, token)
    person = people(permissions=["clipboard-read", "clipboard-write"]).is_guest(token)
    person.visit("/me/")
    row = rows(person, "open")
    row.get_by_role("button", name="Copy link").click()
    expect(row.get_by_role("button", name="Copied")).to_be_visible()
    assert person.page.evaluate("navigator.clipboard.readText()").endswith(f"/m/{match_id}/")
    row.get_by_role("button", name="Cancel").click()
    expect(rows(person, "open")).to_have_count(0)
    expect(person.page.locator("#no-matches")).to_be_visible()


def test_older_matches_come_in_pages(people, server):
    token = new_guest(server)
    for _ in range(23):
        play_on_one_device(server, token)
    person = people().is_guest(token).visit("/me/")
    expect(rows(person, "finished")).to_have_count(20)
    person.page.get_by_role("button", name="Show older matches").click()
    expect(rows(person, "finished")).to_have_count(23)
    expect(person.page.get_by_role("button", name="Show older matches")).to_be_hidden()


def play_on_one_device(server, token):
    """Start a match and resign it, without a browser."""
    match_id = new_match(server, token, same_device=True)
    with connect(
        f"{server.ws}/ws/match/{match_id}/",
        additional_headers={"Authorization": f"Bearer {token}"},
        proxy=None,
    ) as socket:
        socket.send('{"type": "resign", "id": "r"}')
        while '"update"' not in socket.recv(timeout=10):
            pass


def test_somebody_new_is_told_what_the_page_is_for(people):
    person = people().visit("/me/")
    expect(person.page.locator("#no-matches")).to_be_visible()
    person.visit("/")
    expect(person.page.locator("#strip")).to_be_hidden()
    person.visit("/me/")
    person.page.get_by_role("link", name="Choose a game").click()
    expect(person.page.locator(".card form")).to_have_count(5)


def test_nothing_moves_when_the_strip_is_filled(people, server):
    _match_id, one, _two = new_pair(server)
    person = people().is_guest(one)
    person.page.add_init_script(RECORD_SHIFTS)
    person.visit("/")
    expect(person.page.locator("#strip .chip")).to_be_visible()
    assert person.page.evaluate("window.shifts") == []
