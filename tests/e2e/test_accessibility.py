"""axe-core finds nothing serious on any page, in light and in dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.rules import GAMES

AXE = Axe()


def serious(page):
    """What axe-core finds serious or worse, and where."""
    found = []
    for scheme in ("light", "dark"):
        # A colour on its way from one scheme to the other has a contrast of its own.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for violation in AXE.run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                places = [(node["target"], node["failureSummary"]) for node in violation["nodes"]]
                found.append((scheme, violation["id"], places))
    return found


def test_the_lobby_has_no_serious_violation(people, pair):
    one, _ = pair("number-collapse", listed=True)
    person = people().visit("/")
    expect(person.page.locator(f"#live-matches a[href='{one.path}']")).to_be_visible()
    person.another_tab().create("chain-factor", listed=True)
    expect(person.page.locator("#open li").first).to_be_visible()
    person.page.locator("summary").first.click()
    assert serious(person.page) == []


def test_an_invitation_has_no_serious_violation_on_either_side(people):
    one, two = people(), people()
    two.visit(one.create("number-blossoms"))
    assert serious(one.page) == []
    assert serious(two.page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_has_no_serious_violation_live_looking_back_and_finished(slug, people):
    both = people(reduced_motion="reduce")
    both.create(slug, device="same")
    for _ in range(2):
        both.play(both.legal_moves()[-1])
    assert serious(both.page) == []
    both.page.locator("#previous").click()
    assert serious(both.page) == []
    both.page.locator("#live").click()
    both.page.locator("#resign").click()
    assert serious(both.page) == []
    both.page.locator("#confirm-resign").get_by_role("button", name="Resign").click()
    both.sees_status("wins")
    assert serious(both.page) == []


@pytest.mark.parametrize("slug", GAMES)
def test_rules_have_no_serious_violation(slug, people):
    assert serious(people().visit(f"/rules/{slug}/").page) == []
