"""Looking back at earlier positions, during a match and afterwards."""

from playwright.sync_api import expect


def boards_of(one, two, *moves):
    """Play these moves and return the board at every position."""
    seen = [one.board()]
    for number, move in enumerate(moves):
        mover, other = (one, two) if number % 2 == 0 else (two, one)
        mover.has_turn()
        mover.play(move)
        other.sees_moves(number + 1)
        seen.append(mover.board())
    return seen


def test_a_new_move_does_not_interrupt_a_player_who_is_looking_back(pair):
    one, two = pair()
    boards = boards_of(one, two, 6, 3, 9)
    one.page.keyboard.press("ArrowLeft")
    assert one.board() == boards[2]
    one.page.keyboard.press("ArrowLeft")
    assert one.board() == boards[1]
    two.play(1)
    one.sees_moves(4)
    assert one.board() == boards[1]
    expect(one.legal).to_have_count(0)
    one.page.locator("#live").click()
    assert one.board() == two.board()
    one.has_turn()
    expect(one.page.locator("#live")).to_be_disabled()


def test_buttons_and_keys_reach_every_position(pair):
    one, two = pair()
    boards = boards_of(one, two, 6, 3, 9)
    press = one.page.keyboard.press
    button = one.page.locator
    for step, expected in (
        (lambda: button("#first").click(), 0),
        (lambda: button("#next").click(), 1),
        (lambda: button("#next").click(), 2),
        (lambda: button("#previous").click(), 1),
        (lambda: press("End"), 3),
        (lambda: press("Home"), 0),
        (lambda: press("ArrowRight"), 1),
        (lambda: one.moves.nth(1).locator("button").click(), 2),
        (lambda: press("ArrowRight"), 3),
    ):
        step()
        assert one.board() == boards[expected]


def test_a_spectator_can_look_back_at_a_finished_match(pair, people):
    one, two = pair()
    boards = boards_of(one, two, 6, 3)
    one.resign()
    spectator = people().visit(one.path)
    spectator.sees_moves(3)
    spectator.page.locator("#first").click()
    assert spectator.board() == boards[0]
    spectator.page.locator("#next").click()
    assert spectator.board() == boards[1]
    spectator.page.locator("#live").click()
    assert spectator.board() == boards[2]
    spectator.sees_status("wins")
