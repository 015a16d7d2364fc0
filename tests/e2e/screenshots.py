"""Take screenshots of every page and state in four sizes, light and dark: `make screenshots`.

Arguments limit this to the scenes whose names start with one of them.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from games.rules import GAMES
from tests.e2e.conftest import QUIET, meeting
from tests.e2e.seats import Seats
from tests.live.client import fresh, new_pair
from tests.serving import serving

FOLDER = Path(__file__).parent.parent.parent / "var" / "screenshots"

SIZES = {
    "small": (320, 568),
    "phone": (390, 844),
    "landscape": (740, 360),
    "desktop": (1280, 800),
}

# Moves played before a screenshot. Players of a game that is not listed play any legal move.
OPENINGS = {
    "number-blossoms": (6, 8, 3, 4),
    "number-tower-duel": (9, 3, 6, 2),
    "chain-factor": (7, 6, 5, 9),
    "number-eliminator": (9, 3, 6, 2),
}
WHOLE = {
    "number-blossoms": (6, 8, 3, 4, 9, 2),
    "number-tower-duel": (9, 3, 6, 2, 8, 4, 1, 7),
    "chain-factor": (7, 6, 5, 9, 8, 3, 4, 1, 2),
    "number-eliminator": (9, 3, 6, 2, 8, 4, 1, 7),
}
BARRED = {
    "number-blossoms": 5,
    "number-tower-duel": 7,
    "chain-factor": 3,
    "number-eliminator": 5,
}


class Scenes:
    """The people and matches in the screenshots.

    A scene is a name, a person's tab and, optionally, what they do after each resize.
    """

    def __init__(self, server, meet, seats, wanted):
        self.server, self.meet, self.seats, self.wanted = server, meet, seats, wanted

    def wants(self, name):
        """Return whether a scene or a group of scenes was asked for."""
        return not self.wanted or any(
            name.startswith(one) or one.startswith(name) for one in self.wanted
        )

    def pair(self, slug, moves=()):
        match_id, *tokens = new_pair(self.server, slug)
        both = [self.meet().is_guest(token).visit(f"/m/{match_id}/") for token in tokens]
        both[0].has_turn()
        for number, move in enumerate(moves):
            mover = both[number % 2]
            mover.has_turn()
            mover.play(move)
        for person in both:
            person.sees_moves(len(moves))
        return both

    def lobby(self):
        yield "live-now-empty", self.meet().visit("/watch/")
        self.meet().create("chain-factor", listed=True)
        match_id = self.seats.pair(self.server)
        person = self.meet().visit("/")
        expect(person.page.locator(f"#live-matches a[href='/m/{match_id}/']")).to_be_visible()
        yield "home", person
        person.page.locator("summary").first.click()
        yield "home-options", person
        person.page.locator("#open-settings").click()
        yield "home-settings", person
        for slug in GAMES:
            self.seats.pair(self.server, slug)
        person = self.meet().visit("/watch/")
        expect(person.page.locator("#live-matches > li")).to_have_count(6)
        yield "live-now", person

    def rules(self):
        for slug in GAMES:
            person = self.meet().visit(f"/rules/{slug}/")
            yield f"rules-{slug}-1-start", person
            for _ in range(4):
                person.page.locator("#on").click()
            yield f"rules-{slug}-2-stepped", person

    def invitation(self):
        one, two = self.meet(), self.meet()
        path = one.create("number-blossoms")
        yield "invitation-sent", one
        yield "invitation-got", two.visit(path)
        one.page.get_by_role("button", name="Cancel").click()
        yield "invitation-cancelled", one

    def match(self):
        for slug in GAMES:
            if self.wants(f"match-{slug}"):
                yield from self.one_match(slug)

    def one_match(self, slug):
        one, two = self.pair(slug)
        yield f"match-{slug}-1-first", one
        one, two = self.pair(slug, OPENINGS.get(slug, ()))
        if slug not in OPENINGS:
            for mover in (one, two):
                mover.has_turn()
                mover.play(mover.legal_moves()[-1])
        one.has_turn()
        yield f"match-{slug}-2-mine", one
        yield f"match-{slug}-3-waiting", two
        if slug in BARRED:
            barred = BARRED[slug]
            yield f"match-{slug}-4-barred", one, lambda: one.touch_barred(barred)
        one.page.locator("#previous").click()
        yield f"match-{slug}-5-looking-back", one
        one, two = self.pair(slug, WHOLE.get(slug, ()))
        if slug not in WHOLE:
            self.play_to_the_end(one, two)
        ended = sorted((one, two), key=lambda person: "You win" not in person.status.inner_text())
        yield f"match-{slug}-6-won", ended[0]
        yield f"match-{slug}-7-lost", ended[1]
        both = self.meet()
        both.create(slug, size="larger", device="same")
        for _ in range(7):
            if both.legal.count():
                both.play(both.legal_moves()[0])
        yield f"match-{slug}-8-larger", both

    def play_to_the_end(self, one, two):
        while fresh(self.server, one.match_id)["status"] == "live":
            mover = (one, two)[one.moves.count() % 2]
            mover.has_turn()
            mover.play(mover.legal_moves()[0])
            for person in (one, two):
                person.sees_moves(mover.moves.count())

    def others(self):
        one, two = self.pair("number-tower-duel", (6,))
        spectator = self.meet().visit(one.path)
        expect(spectator.page.locator("#watching")).to_be_visible()
        yield "watching", spectator
        one.page.locator("#resign").click()
        yield "resigning", one
        two.cut_off()
        expect(two.page.locator("#connection")).not_to_be_empty(timeout=20_000)
        yield "offline", two
        alone = self.meet()
        alone.create("number-tower-duel", device="computer")
        alone.has_turn()
        yield "computer", alone, lambda: self.ask_for_hint(alone)
        while not alone.page.locator("#match[data-status=finished]").count():
            if alone.legal.count():
                alone.play(alone.legal_moves()[-1])
        alone.page.locator("#review").click()
        expect(alone.page.locator(".bar button").first).to_be_visible()
        yield "review", alone
        alone.page.locator("#board .tile.legal").first.click()
        expect(alone.page.locator("#back")).to_be_visible()
        yield "review-exploring", alone
        lost = self.meet()
        lost.may_see_status = 404
        yield "no-match", lost.visit("/m/zzzzzzzz/")
        yield "not-found", lost.visit("/nothing/")

    def devices(self):
        yield "devices-stranger", self.meet().visit("/me/devices/")
        person = self.meet()
        person.create("chain-factor")
        person.visit("/me/devices/")
        person.page.locator("#new-link").click()
        person.page.locator("#new-code").click()
        expect(person.page.locator("#qr svg")).to_be_visible()
        expect(person.page.locator("#code-panel")).to_be_visible()
        yield "devices", person
        person.page.locator("#forget").click()
        yield "devices-forget", person
        yield "arrive", self.meet().visit("/me/arrive/#" + "x" * 22)

    def ask_for_hint(self, person):
        person.press(person.page.locator("#hint"))
        expect(person.reason).to_be_visible()

    def all(self):
        groups = (self.lobby, self.rules, self.invitation, self.match, self.devices, self.others)
        for group in groups:
            yield from group()


def shoot(name, person, act=lambda: None):
    """Save one file for each size and colour scheme."""
    page = person.page
    whole = name.startswith(("home", "rules", "devices"))
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        act()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png", full_page=whole)


def main(wanted):
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), NUMGAMES_LIMITS="off") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        with meeting(browser, server) as meet, Seats() as seats:
            for name, *scene in Scenes(server, meet, seats, wanted).all():
                if not wanted or name.startswith(tuple(wanted)):
                    shoot(name, *scene)
                    print(name)
        browser.close()
    print(f"The screenshots are in {FOLDER}")


if __name__ == "__main__":
    main(sys.argv[1:])
