"""Each game from the lobby to the result: two players and a spectator see the same."""

import random
import re

import pytest
from playwright.sync_api import expect

from games.rules import GAMES
from tests.live.client import fresh


@pytest.mark.parametrize("slug", GAMES)
def test_a_match_from_the_lobby_to_the_result(slug, people, server):
    one, two, spectator = people(), people(), people()
    path = one.create(slug)
    expect(one.page.locator("#link")).to_have_value(re.compile(f"{path}$"))
    two.visit(path)
    expect(two.page.locator("#waiting-title")).to_contain_text("invites you")
    two.join(name="Otto")
    expect(one.page.locator("#news")).to_contain_text("Your friend")
    spectator.visit(path)
    expect(spectator.page.locator("#watching")).to_be_visible()
    expect(one.page.locator("#spectators")).to_have_text("1 watching")

    choice = random.Random(slug)
    truth = fresh(server, one.match_id)
    all_see(truth, one, two, spectator)
    while truth["status"] == "live":
        mover = one if truth["turn"] == 1 else two
        mover.play(choice.choice(mover.legal_moves()))
        truth = fresh(server, one.match_id)
        all_see(truth, one, two, spectator)

    winner, loser = (one, two) if truth["outcome"]["winner"] == 1 else (two, one)
    winner.sees_status("You win: ")
    loser.sees_status(" wins: ")
    seen = spectator.status.inner_text()
    assert f"{truth['players'][str(truth['outcome']['winner'])]['name']} wins: " in seen
    assert "Player " not in seen
    for person in (one, two, spectator):
        won = person.page.locator(f"#player-{truth['outcome']['winner']} .wins")
        expect(won).to_have_text("1")
    expect(winner.page.locator("#rematch")).to_be_enabled()
    expect(spectator.page.locator("#rematch")).to_be_hidden()


def all_see(truth, one, two, spectator):
    """Check that all pages show the server's state, and only the player to move can move."""
    for person in (one, two, spectator):
        person.sees_moves(truth["version"])
        expect(person.tiles).to_have_count(len(still_there(truth)))
    assert one.board() == two.board() == spectator.board()
    assert spectator.moves_left() == still_there(truth)
    if truth["status"] != "live":
        for person in (one, two, spectator):
            expect(person.legal).to_have_count(0)
            expect(person.page).not_to_have_title(re.compile("Your turn"))
        return
    mover, other = (one, two) if truth["turn"] == 1 else (two, one)
    mover.has_turn()
    assert mover.legal_moves() == truth["legal"]
    expect(mover.page).to_have_title(re.compile("^Your turn"))
    expect(other.page).not_to_have_title(re.compile("Your turn"))
    name = truth["players"][str(truth["turn"])]["name"]
    for person in (other, spectator):
        person.waits()
        person.sees_status(f"{name}'s turn")
    for person in (one, two, spectator):
        expect(person.page.locator(f"#player-{truth['turn']}")).to_have_class(re.compile("to-move"))


def still_there(truth):
    """Return what is left on the board: numbers, or positions in a grid."""
    game = GAMES[truth["game"]]
    return list(game.on_board(game.from_json(truth["state"])))
