"""Finding a match by the id in a link, with a limit on wrong links from one address.

Ids are hard to guess only if guessing is slow, so pages, pictures, API and websockets all count
the misses here.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from games.matches import limits, selectors
from games.matches.selectors import StoredMatch
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

NO_SUCH_MATCH = Template(_("There is no such match. Check the link or start a new one."))
WRONG_LINKS = Template(_("Too many wrong links were tried from your network. Wait a minute."))


class NoSuchMatch(Refusal):
    """No match has this id."""

    def __init__(self) -> None:
        super().__init__("no_such_match", NO_SUCH_MATCH(), 404)


def clean_id(match_id: str) -> str:
    """Return an id in the form in which it is stored; raise `NoSuchMatch` if it can't be one."""
    cleaned = selectors.clean_match_id(match_id)
    if cleaned is None:
        raise NoSuchMatch
    return cleaned


def wrong_link(address: str) -> Refusal:
    """Count a miss from this address and return the refusal to answer with."""
    if limits.MISSES_BY_ADDRESS.allows(address):
        return NoSuchMatch()
    return Refusal("too_many", WRONG_LINKS(), 429)


@contextmanager
def count_misses(address: str) -> Iterator[None]:
    """Count a `NoSuchMatch` raised in this block; after too many, refuse with `too_many`."""
    try:
        yield
    except NoSuchMatch as miss:
        raise wrong_link(address) from miss


def found_match(match_id: str, address: str) -> StoredMatch:
    """Return the match with this id, as typed by somebody at this address."""
    with count_misses(address):
        stored = selectors.stored_match(clean_id(match_id))
        if stored is None:
            raise NoSuchMatch
    return stored
