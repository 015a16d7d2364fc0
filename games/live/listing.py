"""Which listed matches the lobby shows, and in which order.

A match is listed while somebody has it open. Networks take turns: somebody with forty matches gets
the places that the others leave free.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from django.utils.crypto import salted_hmac

from games.live.live_match import LiveMatch
from games.models import Match

MOST_OPEN = 50
MOST_LIVE = 12
# In a class of sixty behind one address, thirty can invite and thirty join.
MOST_OPEN_A_NETWORK = 30
# A player counts as present for this long, so that a reload or a weak connection doesn't matter. An
# invitation comes back with the page of the person who made it.
PRESENT_FOR = 30.0
# A match is shown as live until nobody has moved for this long.
LIVE_FOR = 10 * 60.0


class Listed(msgspec.Struct, frozen=True, array_like=True):
    """What one process knows about a listed match that somebody there has open.

    Processes tell each other, so networks are keyed hashes here and never addresses.
    """

    id: str
    is_open: bool
    has_computer: bool
    # When it was created or, if it is being played, started. Only the order depends on it.
    since: float
    # The networks of the players who are present, and of at most two spectators.
    players: frozenset[str]
    watchers: frozenset[str]

    @property
    def networks(self) -> frozenset[str]:
        """Whose turn in the list this match takes."""
        return self.players or self.watchers

    @property
    def is_shown(self) -> bool:
        """Nobody fills the list with matches against the computer: somebody else has to watch."""
        return not self.has_computer or bool(self.players and self.watchers - self.players)


def listed(live: LiveMatch, now: float) -> Listed | None:
    """Describe a match of this process; None if it isn't listed or nobody is there."""
    loaded, heard = live.loaded, live.presence.heard
    if loaded is None or not loaded.row.listed:
        return None
    row = loaded.row
    is_open = row.status == Match.Status.OPEN
    if not is_open and not (loaded.is_live and now - loaded.turn_began < LIVE_FOR):
        return None
    players = frozenset(
        hashed(network)
        for seat, network in live.presence.networks.items()
        if now - heard[seat] < PRESENT_FOR
    )
    watchers = frozenset[str]() if is_open else _watchers(live)
    if not (players or watchers):
        return None
    since = row.created if is_open or row.started is None else row.started
    return Listed(live.id, is_open, loaded.has_computer, since.timestamp(), players, watchers)


def _watchers(live: LiveMatch) -> frozenset[str]:
    """Return the networks of two spectators: at least one is not that of a single player."""
    found: set[str] = set()
    for socket in live.sockets:
        if socket.you == ():
            found.add(hashed(socket.address))
            if len(found) == 2:
                break
    return frozenset(found)


@lru_cache(maxsize=4096)
def hashed(network: str) -> str:
    """Return a short name for a network, the same in all processes of this site."""
    return salted_hmac("numgames.listing", network).hexdigest()[:16]


def merged(found: Iterable[Listed]) -> list[Listed]:
    """Combine what several processes know about the same matches."""
    matches: dict[str, Listed] = {}
    for one in found:
        known = matches.get(one.id)
        if known is not None:
            is_open = known.is_open and one.is_open
            players, watchers = known.players | one.players, known.watchers | one.watchers
            since = max(known.since, one.since)
            one = Listed(one.id, is_open, one.has_computer, since, players, watchers)
        matches[one.id] = one
    return list(matches.values())


def in_turns(matches: Iterable[Listed], most: int, most_a_network: int) -> list[Listed]:
    """Choose the matches to show: first the newest of every network, then each one's next, …

    A match of two networks takes a turn of both, or every pair of networks would be one more.
    """
    taken: Counter[str] = Counter()
    turns = []
    for match in sorted(matches, key=lambda match: match.since, reverse=True):
        turn = max(taken[network] for network in match.networks)
        if turn < most_a_network:
            taken.update(match.networks)
            turns.append((turn, match))
    # Sorting is stable: within a turn, the newest stay first.
    turns.sort(key=lambda pair: pair[0])
    return [match for _, match in turns[:most]]
