"""A person with a browser: what they do on the pages, and what they see."""

import json
import re
import time
from urllib.parse import urlsplit

from playwright.sync_api import expect

# What a browser logs about a connection that is cut; nothing of it is the page's doing.
LOST_CONNECTION = re.compile(
    r"net::ERR_|WebSocket connection to .* failed"
    r"|^An unknown error occurred when fetching the script\.$"
)

# Everything a board shows, as text: measures, what was played, and the numbers that are left.
BOARD = """
board => [...board.querySelectorAll(".measure, .block, .link, .numeral, .tile:not(.gone)")]
  .map(piece => piece.textContent)
"""

MOVES = "tiles => tiles.map(tile => Number(tile.dataset.move))"


class Person:
    """One tab; `another_tab` is the same person, with the same cookies."""

    def __init__(self, context, server, touch=False):
        self.context = context
        self.touch = touch
        self.server = server
        self.page = context.new_page()
        self.sent = []
        self.logged = []
        # A test that cuts the network or kills the server says so here, for whom it concerns.
        self.may_lose_connection = False
        # A browser logs every answer of this status as an error, however friendly the page is.
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
        """What any tab logged and should not have."""
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

    # --- What they do --------------------------------------------------------------------------

    def visit(self, path):
        self.page.goto(path)
        return self

    def create(self, slug, starts="me", size="classic", listed=False, device="link"):
        """Make a match in the lobby; the path of its page."""
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
        """Be somebody the server knows already."""
        self.context.add_cookies([{"name": "guest", "value": token, "url": self.server.http}])
        return self

    def press(self, target):
        if self.touch:
            target.tap()
        else:
            target.click()

    def join(self, name=""):
        if name:
            self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Join").click()
        self.sees_the_board()

    def play(self, move):
        """Tap a number, and wait until the match has gone on."""
        before = self.moves.count()
        self.press(self.tile(move))
        expect(self.moves.nth(before)).to_be_attached()

    def touch_barred(self, move):
        """Touch a number that says it is disabled; Playwright would wait for it to be enabled."""
        self.tile(move).click(force=True)

    def resign(self):
        self.press(self.page.locator("#resign"))
        self.press(self.page.locator("#confirm-resign").get_by_role("button", name="Resign"))
        expect(self.page.locator("#rematch")).to_be_enabled()

    def cut_off(self):
        """Lose the network, this tab alone; what is sent meanwhile goes nowhere."""
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
        """Wait for what only a script can see. The pages' own policy forbids it to wait there."""
        deadline = time.monotonic() + 10
        while not self.page.evaluate(expression):
            assert time.monotonic() < deadline, expression
            self.page.wait_for_timeout(50)

    # --- What they see -------------------------------------------------------------------------

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
        """The numbers that are still there."""
        return self.page.locator("#board .tile:not(.gone)")

    @property
    def legal(self):
        return self.page.locator("#board .tile.legal")

    def tile(self, move):
        return self.page.locator(f"#board .tile[data-move='{move}']")

    def legal_moves(self):
        return self.legal.evaluate_all(MOVES)

    def moves_left(self):
        return self.tiles.evaluate_all(MOVES)

    def board(self):
        return self.page.locator("#board").evaluate(BOARD)

    def asked(self):
        """What they have sent, without heartbeats."""
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
