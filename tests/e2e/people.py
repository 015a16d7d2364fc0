"""A person with a browser: what they do on the pages, and what they see."""

import json
import re
import time
from urllib.parse import urlsplit

from playwright.sync_api import expect

# What a browser logs when a connection breaks; the page can't prevent these messages.
LOST_CONNECTION = re.compile(
    r"net::ERR_|WebSocket connection to .* failed"
    r"|^An unknown error occurred when fetching the script\.$"
)

# Everything a board shows, as text: measures, played numbers, and remaining numbers.
BOARD = """
board => [...board.querySelectorAll(".measure, .block, .link, .numeral, .tile:not(.gone)")]
  .map(piece => piece.textContent)
"""

MOVES = "tiles => tiles.map(tile => Number(tile.dataset.move))"


class Person:
    """A person in one tab; `another_tab` opens a second one with the same cookies."""

    def __init__(self, context, server, touch=False):
        self.context = context
        self.touch = touch
        self.server = server
        self.page = context.new_page()
        self.sent = []
        self.logged = []
        # Tests that cut the network or kill the server set this on everyone affected.
        self.may_lose_connection = False
        # Browsers log an HTTP error status even if the page itself is as intended.
        self.may_see_status = None
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.logged.append(("error", str(error))))
        self.page.on("websocket", self._on_socket)
        self.tabs = [self]

    def another_tab(self):
        tab = Person(self.context, self.server, touch=self.touch)
        self.tabs.append(tab)
        return tab

    def _on_console(self, message):
        if message.type in ("error", "warning"):
            self.logged.append((message.type, message.text))

    def _on_socket(self, socket):
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def complaints(self):
        """Return what any tab logged unexpectedly."""
        return [
            (kind, text)
            for tab in self.tabs
            for kind, text in tab.logged
            if not tab._is_expected(text)
        ]

    def _is_expected(self, text):
        if self.may_see_status and f"status of {self.may_see_status}" in text:
            return True
        return self.may_lose_connection and LOST_CONNECTION.search(text) is not None

    # --- Actions -------------------------------------------------------------------------------

    def visit(self, path):
        self.page.goto(path)
        return self

    def create(self, slug, starts="me", size="classic", listed=False, device="link"):
        """Create a match in the lobby; return the path of its page."""
        self.visit("/")
        card = self.page.locator(f".card.{slug}")
        if (starts, size, listed) != ("lot", "classic", False):
            card.locator("summary").click()
            card.locator(f"input[name=starts][value={starts}]").check()
            card.locator(f"input[name=size][value={size}]").check()
            card.locator("input[name=listed]").set_checked(listed)
        card.locator(f"button[name=device][value={device}]").click()
        self.page.wait_for_url("**/m/*/")
        return self.path

    def is_guest(self, token):
        """Become a guest the server already knows."""
        self.context.add_cookies([{"name": "guest", "value": token, "url": self.server.http}])
        return self

    def press(self, target):
        if self.touch:
            target.tap()
        else:
            target.click()

    def join(self, name=""):
        if name:
            self.page.locator(".join").get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Join").click()
        self.sees_the_board()

    def play(self, move):
        """Tap a number and wait until the move is listed."""
        before = self.moves.count()
        self.press(self.tile(move))
        expect(self.moves.nth(before)).to_be_attached()

    def touch_barred(self, move):
        """Touch a disabled number, without Playwright waiting for it to be enabled."""
        self.tile(move).click(force=True)

    def resign(self):
        self.press(self.page.locator("#resign"))
        self.press(self.page.locator("#confirm-resign").get_by_role("button", name="Resign"))
        expect(self.page.locator("#rematch")).to_be_enabled()

    def cut_off(self):
        """Cut the network for this tab only; what it sends is lost."""
        self.may_lose_connection = True
        self._network = self.context.new_cdp_session(self.page)
        self._emulate(offline=True)

    def come_back(self):
        self._emulate(offline=False)

    def _emulate(self, offline):
        unlimited = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        conditions = {"offline": offline, **unlimited}
        self._network.send("Network.emulateNetworkConditions", conditions)

    def until(self, expression):
        """Wait until a script returns true; polls, because the pages' CSP forbids waiting there."""
        deadline = time.monotonic() + 10
        while not self.page.evaluate(expression):
            assert time.monotonic() < deadline, expression
            self.page.wait_for_timeout(50)

    # --- What the page shows -------------------------------------------------------------------

    @property
    def path(self):
        return urlsplit(self.page.url).path

    @property
    def match_id(self):
        return self.path.split("/")[2]

    @property
    def moves(self):
        return self.page.locator("#moves li")

    @property
    def status(self):
        return self.page.locator("#status")

    @property
    def reason(self):
        return self.page.locator("#reason")

    @property
    def tiles(self):
        """The numbers that are still on the board."""
        return self.page.locator("#board .tile:not(.gone)")

    @property
    def legal(self):
        return self.page.locator("#board .tile.legal")

    def tile(self, move):
        return self.page.locator(f"#board .tile[data-move='{move}']")

    def legal_moves(self):
        """Return the moves on offer, once the board shows them."""
        expect(self.legal.first).to_be_visible()
        return self.legal.evaluate_all(MOVES)

    def moves_left(self):
        return self.tiles.evaluate_all(MOVES)

    def board(self):
        return self.page.locator("#board").evaluate(BOARD)

    def asked(self):
        """Return the messages they have sent, without heartbeats."""
        return [message for message in self.sent if message["type"] != "ping"]

    def sees_the_board(self):
        expect(self.page.locator("#stage")).to_be_visible()
        expect(self.tiles.first).to_be_visible()

    def sees_status(self, text):
        expect(self.status).to_contain_text(text)

    def sees_moves(self, number):
        expect(self.moves).to_have_count(number)

    def has_turn(self):
        self.sees_status("Your turn")
        expect(self.legal.first).to_be_visible()

    def waits(self):
        expect(self.status).to_contain_text("'s turn")
        expect(self.legal).to_have_count(0)
