"""An opponent leaves on their turn: the countdown, then claiming the win."""

import re

from playwright.sync_api import expect

from tests.e2e.conftest import meeting
from tests.live.client import new_pair
from tests.serving import serving


def test_a_player_can_claim_the_win_when_the_opponent_is_gone(browser, tmp_path):
    """The server allows claims after seven seconds."""
    with (
        serving(tmp_path, NUMGAMES_LIMITS="off", NUMGAMES_CLAIM_AFTER="7,7,8") as server,
        meeting(browser, server) as meet,
    ):
        match_id, *tokens = new_pair(server)
        stays, leaves = (meet(server).is_guest(token).visit(f"/m/{match_id}/") for token in tokens)
        stays.has_turn()
        leaves.context.close()
        stays.page.locator('#board [data-move="6"]').click()
        expect(stays.page.locator("#player-2 .presence")).to_have_text("away")
        expect(stays.page.locator("#countdown")).to_contain_text("You can claim the win in 0:0")
        expect(stays.page.locator("#player-2 .presence")).to_have_text("gone")
        claim = stays.page.get_by_role("button", name="Claim win")
        expect(claim).to_be_enabled()
        claim.click()
        expect(stays.page.locator("#status")).to_have_text(re.compile("^You win: .* in time"))
