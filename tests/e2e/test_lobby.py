"""The lobby updates without a reload."""

from playwright.sync_api import expect

from tests.live.client import join, new_guest


def test_the_lobby_shows_a_listed_match_until_it_ends(people):
    one, two = people(), people()
    two.visit("/")
    two.page.evaluate("window.sameDocument = true")
    path = one.create("number-eliminator", listed=True)
    entry = two.page.locator(f"#open a[href='{path}']")
    expect(entry).to_contain_text("Number Eliminator")
    assert two.page.evaluate("window.sameDocument")

    watcher = people().visit("/")
    expect(watcher.page.locator(f"#open a[href='{path}']")).to_be_visible()
    entry.click()
    two.join()
    card = watcher.page.locator(".live-match", has=watcher.page.locator(f"a[href='{path}']"))
    expect(card.locator(".mini .tile:not(.gone)")).to_have_count(9)
    expect(watcher.page.locator(f"#open a[href='{path}']")).to_have_count(0)

    one.has_turn()
    one.play(6)
    expect(card.locator(".mini .tile:not(.gone)")).to_have_count(8)
    two.resign()
    expect(card).to_have_count(0)


def test_an_unlisted_match_never_appears_in_the_lobby(people, server):
    one, watcher = people(), people()
    watcher.visit("/")
    hidden = one.create("chain-factor")
    listed = one.another_tab().create("chain-factor", listed=True)
    expect(watcher.page.locator(f"#open a[href='{listed}']")).to_be_visible()
    assert watcher.page.locator(f"a[href='{hidden}']").count() == 0
    join(server, hidden.split("/")[2], new_guest(server))
    join(server, listed.split("/")[2], new_guest(server))
    expect(watcher.page.locator(f"#live-matches a[href='{listed}']")).to_be_visible()
    assert watcher.page.locator(f"a[href='{hidden}']").count() == 0


def test_one_tap_in_the_lobby_opens_a_live_match(pair, people):
    one, _ = pair("number-collapse", listed=True)
    watcher = people().visit("/")
    watcher.page.locator(f"#live-matches a[href='{one.path}']").click()
    expect(watcher.page.locator("#watching")).to_be_visible()
    assert watcher.board() == one.board()
