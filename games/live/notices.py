"""Decides whom to tell by web push: a friend joined, it's your turn, a rematch is offered.

Nobody is told while one of their pages is connected to any process, and of each turn at most once,
whatever is restarted: `Match.told_1` and `told_2` are set before a message goes out. Nobody is told
of the computer's moves, because it answers within seconds of one's own.

A move costs one entry in a set here. Every second, `look` goes through the matches that changed
`settings.PUSH_AFTER[0]` seconds ago: only then is it known who stayed away, as a page that is being
reloaded is away too. And it looks again at those who seemed to be connected then, because a phone
that was just locked still does.
"""

import asyncio
import base64
import time
from collections import deque
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, override

from games.guests import notifying, subscriptions
from games.live import protocol
from games.live.door import Door
from games.live.events import Concern
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.posting import Message, Posting
from games.matches import database, limits
from games.matches.loaded_match import LoadedMatch
from games.models import PushSubscription
from games.rules import Seat, other
from games.sentences import gettext_noop as _

LOOK_EVERY = 1.0
# Work on many matches is done in parts of this size, so that moves can go in between.
MATCHES_AT_ONCE = 200
# How many people are considered in one look. If there are more, the oldest turns come first.
MOST_AT_ONCE = 200
# How many matches wait for their second look.
MOST_WAITING = 10_000
# Seconds for the other processes to say whom they are connected to.
ANSWERED_WITHIN = 1.0
# A turn that began longer ago is not news: somebody has just opened an old match.
NEWS_FOR = 120.0
# How long a push service keeps a message for a browser that is off, in seconds.
KEPT_FOR = 24 * 60 * 60

YOUR_TURN, JOINED, REMATCH = _("Your turn"), _("Your friend is here"), _("Rematch?")
# By what happened, and whether it is the reader's turn.
TEXTS = {
    ("moved", True): _("{name} moved in {game}. It's your turn."),
    ("joined", True): _("{name} is here: {game} has started. It's your turn."),
    ("joined", False): _("{name} is here: {game} has started. {name} goes first."),
    ("accepted", True): _("Your rematch with {name} in {game} has started. It's your turn."),
    ("accepted", False): _("Your rematch with {name} in {game} has started. {name} goes first."),
    ("rematch", True): _("{name} offers you a rematch in {game}."),
}
TITLES = {"moved": YOUR_TURN, "joined": JOINED, "accepted": JOINED, "rematch": REMATCH}


class Notice(NamedTuple):
    """What somebody should be told."""

    live: LiveMatch
    seat: Seat
    guest_id: int
    what: str
    is_turn: bool
    # The match's version. The same seat is told once at each.
    version: int


class Notices:
    def __init__(self, hub: Hub, door: Door, posting: Posting) -> None:
        self.hub, self.door, self.posting = hub, door, posting
        self._changed: set[LiveMatch] = set()
        # Matches that changed, by the time until which they did.
        self._rounds: deque[tuple[float, set[LiveMatch]]] = deque()
        # What to look at again, and when.
        self._again: deque[tuple[float, Notice]] = deque(maxlen=MOST_WAITING)
        # Matches that changed for these guests, and that are not loaded here.
        self._unloaded: dict[str, tuple[int, ...]] = {}
        # The guests we have asked the other processes about, and those who are connected there.
        self._asked: set[int] = set()
        self._elsewhere: set[int] = set()

    def see(self, live: LiveMatch) -> None:
        """Remember that a match has changed. Every move calls this."""
        self._changed.add(live)

    def see_concern(self, concern: Concern) -> None:
        """Remember that somebody joined a match, or offered a rematch, that isn't loaded here."""
        if len(concern.guests) > 1 and not self.hub.has_loaded(concern.match_id):
            if len(self._unloaded) >= MOST_WAITING:
                self._unloaded.clear()
            self._unloaded[concern.match_id] = concern.guests

    def here(self, guest_ids: Iterable[int]) -> list[int]:
        """Return which of these guests, whom another process asks about, are connected here."""
        return [guest_id for guest_id in guest_ids if self.door.of_guest(guest_id)]

    def hear(self, guest_ids: Iterable[int]) -> None:
        """Another process answers that these guests are connected to it."""
        # Everyone hears the answer, not only the one who asked.
        self._elsewhere.update(self._asked.intersection(guest_ids))

    async def look(self) -> None:
        """Tell those whose news is old enough. Runs every second."""
        if self._unloaded:
            await self._load_concerned()
        now = time.monotonic()
        first, second = settings.PUSH_AFTER
        if self._changed:
            self._rounds.append((now, self._changed))
            self._changed = set()
        due = self._due_again(now)
        while self._rounds and now - self._rounds[0][0] >= first:
            _, matches = self._rounds.popleft()
            for count, live in enumerate(matches, 1):
                # What changed again since then is in a later round.
                if live.loaded is not None and now - live.loaded.turn_seen >= first:
                    for notice in notices_in(live):
                        if self.door.of_guest(notice.guest_id):
                            self._again.append((now + second - first, notice))
                        else:
                            due.append(notice)
                if count % MATCHES_AT_ONCE == 0:
                    await asyncio.sleep(0)
        # Those beyond wait for the next look.
        self._again.extendleft((now, notice) for notice in reversed(due[MOST_AT_ONCE:]))
        if due:
            await self.tell(due[:MOST_AT_ONCE])

    async def _load_concerned(self) -> None:
        """Load the matches of which somebody may have to be told. Loading announces a change."""
        concerned = dict(islice(self._unloaded.items(), MOST_AT_ONCE))
        for match_id in concerned:
            del self._unloaded[match_id]
        guests = {guest_id for pair in concerned.values() for guest_id in pair}
        found = await database.read(subscriptions.subscriptions_of, guests)
        for match_id, pair in concerned.items():
            if not found.keys().isdisjoint(pair):
                await self.hub.load(self.hub.live_match(match_id))

    def _due_again(self, now: float) -> list[Notice]:
        due = []
        while self._again and self._again[0][0] <= now:
            due.append(self._again.popleft()[1])
        return [notice for notice in due if _is_current(notice)]

    async def tell(self, due: list[Notice]) -> None:
        """Post to everyone among these who has a subscription and no page."""
        due = [notice for notice in due if not self.door.of_guest(notice.guest_id)]
        guests = {notice.guest_id for notice in due}
        found = await database.read(subscriptions.subscriptions_of, guests) if guests else {}
        if not found or not await self._ask_others(list(found)):
            return
        for notice in due:
            rows = found.get(notice.guest_id, [])
            if rows and self._is_away(notice.guest_id) and _is_current(notice):
                await self._post(notice, rows)

    async def _ask_others(self, guest_ids: list[int]) -> bool:
        """Ask the other processes who is connected to them; return False if they can't be asked."""
        relay = self.hub.relay
        self._asked, self._elsewhere = set(guest_ids), set()
        if relay is None:
            return True
        # While Redis is away nobody knows, so nobody is told.
        if not relay.is_settled:
            return False
        relay.tell_where(guest_ids)
        await asyncio.sleep(ANSWERED_WITHIN)
        return relay.is_settled

    def _is_away(self, guest_id: int) -> bool:
        return guest_id not in self._elsewhere and not self.door.of_guest(guest_id)

    async def _post(self, notice: Notice, rows: list[PushSubscription]) -> None:
        loaded = notice.live.loaded
        if loaded is None or not limits.NOTIFYING_BY_GUEST.allows(notice.guest_id):
            return
        match_id = notice.live.id
        # Another process may be about to tell the same.
        if not await database.write(notifying.claim, match_id, notice.seat, notice.version):
            return
        for row in rows:
            content = partial(words, notice, loaded, row.language)
            self.posting.post(Message(row, content, topic_of(match_id), KEPT_FOR))


def notices_in(live: LiveMatch) -> list[Notice]:
    """Return who should be told what about a match, if they are away."""
    loaded = live.loaded
    if loaded is None or loaded.has_computer:
        return []
    row, version = loaded.row, loaded.version
    # On one device, or after two guests became one, nobody else is playing.
    if row.seat_1_id == row.seat_2_id:
        return []
    guests = {1: row.seat_1_id, 2: row.seat_2_id}
    wanted: list[tuple[Seat, str, bool]] = []
    if loaded.outcome is not None:
        if row.rematch_offer and row.rematch_id is None:
            wanted.append((other(row.rematch_offer), "rematch", True))
    elif loaded.is_live and time.time() - _began(loaded) < NEWS_FOR:
        turn = loaded.state.turn
        if version == 0:
            what = "joined" if row.number == 1 else "accepted"
            wanted += [(turn, what, True), (other(turn), what, False)]
        elif _mover(loaded) != turn:
            wanted.append((turn, "moved", True))
    return [
        Notice(live, seat, guest_id, what, is_turn, version)
        for seat, what, is_turn in wanted
        if (guest_id := guests[seat]) is not None
    ]


def _began(loaded: LoadedMatch) -> float:
    """Return when the current turn began, in wall time."""
    if loaded.actions:
        return loaded.actions[-1].time
    return loaded.row.started.timestamp() if loaded.row.started else 0.0


def _mover(loaded: LoadedMatch) -> Seat:
    """Return who moved last, not counting a pass that was forced."""
    last = loaded.actions[-1]
    return last.seat if last.client_id is not None else other(last.seat)


def _is_current(notice: Notice) -> bool:
    """Return whether a notice is still true."""
    return any(
        (now.seat, now.what, now.version) == (notice.seat, notice.what, notice.version)
        for now in notices_in(notice.live)
    )


def words(notice: Notice, loaded: LoadedMatch, language: str) -> dict[str, str]:
    """Return what a notification says. The service worker shows it as it is."""
    opponent = protocol.player(loaded, other(notice.seat))
    assert opponent is not None
    with override(language):
        text = gettext(TEXTS[notice.what, notice.is_turn])
        return {
            "title": gettext(TITLES[notice.what]),
            "body": text.format(name=opponent["name"], game=loaded.game.name),
            "url": f"/m/{notice.live.id}/",
        }


def topic_of(match_id: str) -> str:
    """Return a name for a match that tells a push service nothing."""
    digest = salted_hmac("numgames.push", match_id, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:24]).decode()
