"""What to call a device: its browser and its system, as far as we know them."""

from typing import NamedTuple

from games.models import Device
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

ON_A_SYSTEM = Template(_("{browser} on {system}"))
JUST_A_NAME = Template("{browser}")
A_BROWSER = Template(_("A browser"))
A_PROGRAM = Template(_("A program"))

# Only this much of the header is read.
LONGEST_AGENT = 300

PROGRAM = "program"

# What to look for, in this order: many browsers also name those they are related to.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


class Kind(NamedTuple):
    browser: str = ""
    system: str = ""


def kind_of(agent: str) -> Kind:
    """Return the names we know from a `User-Agent` header."""
    agent = agent[:LONGEST_AGENT]
    system = _first(SYSTEMS, agent)
    if not agent.startswith("Mozilla/"):
        return Kind(PROGRAM, system)
    return Kind(_first(BROWSERS, agent), system)


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in names if mark in agent), "")


def label_of(device: Device) -> Sentence:
    if device.browser == PROGRAM:
        browser: Sentence | str = A_PROGRAM()
    else:
        browser = device.browser or A_BROWSER()
    if device.system:
        return ON_A_SYSTEM(browser=browser, system=device.system)
    return browser if isinstance(browser, Sentence) else JUST_A_NAME(browser=browser)
