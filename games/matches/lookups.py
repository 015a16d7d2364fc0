"""Finding a match by the id in a link, with a limit on wrong links from one network.

Ids are hard to guess only if guessing is slow. So pages, pictures, API and websockets all ask here.
While a network's limit is used up, its people reach only the matches they play in, and every other
id gets the same answer, whether there is such a match or not.
"""

from games.matches import limits, selectors
from games.matches.identity import Who
from games.models import Match
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

NO_SUCH_MATCH = Template(_("There is no such match. Check the link or start a new one."))


class NoSuchMatch(Refusal):
    """No match has this id."""

    def __init__(self) -> None:
        super().__init__("no_such_match", NO_SUCH_MATCH(), 404)


def find(match_id: str, network: str, who: Who | None) -> Match:
    """Return the match with this id, as typed by this guest in this network."""
    if is_limited(network):
        return find_own(match_id, network, who)
    cleaned = selectors.clean_match_id(match_id)
    return _found(selectors.match_row(cleaned) if cleaned else None, network)


def find_own(match_id: str, network: str, who: Who | None) -> Match:
    """Return a match that this guest plays in. For them, there is no other."""
    cleaned = selectors.clean_match_id(match_id)
    row = selectors.match_row(cleaned, who.guest_id) if cleaned and who else None
    return _found(row if row and row.seats_of(who) else None, network)


def is_limited(network: str) -> bool:
    """Return whether too many wrong links came from this network."""
    return limits.MISSES_BY_ADDRESS.is_used_up(network)


def _found(row: Match | None, network: str) -> Match:
    if row is None:
        limits.MISSES_BY_ADDRESS.require(network)
        raise NoSuchMatch
    return row
