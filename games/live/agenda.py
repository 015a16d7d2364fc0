"""The agenda: tells each guest on their sockets how their matches stand.

A socket at `/ws/me/` hears of every match of its guest. A socket of a match only hears how many
other matches wait for its guest. Nothing is kept about guests without a socket here.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from games.guests import devices, history
from games.guests.history import Standing
from games.live import protocol
from games.live.events import Concern, Events
from games.live.following import Following
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.socket import Socket, push_to
from games.live.tasks import Tasks
from games.matches import database
from games.matches.identity import SignedOut
from games.matches.loaded_match import LoadedMatch

MATCHES_AT_ONCE = 20
# The sockets of a match are told the number of others after this long.
SHOW_AFTER = 0.3
# Messages from other processes may be lost. So every guest's matches are read again now and then,
# at most this many guests in each round.
COMPARE_EVERY = 15.0
GUESTS_AT_ONCE = 300
PAUSE = 0.02


class Agenda:
    def __init__(self, hub: Hub, tasks: Tasks, events: Events) -> None:
        self.hub, self._tasks = hub, tasks
        self._guests: dict[int, Following] = {}
        # How many guests here each match concerns.
        self._matches: dict[str, int] = {}
        # Matches to be read, because they changed and are not loaded here.
        self._unread: set[str] = set()
        self._is_reading = False
        events.changed.listen(self._see)
        events.changed_unseen.listen(self._see_id)
        events.concerned.listen(self._see_concern)

    @property
    def sockets(self) -> int:
        """How many sockets hear of all matches of their guest."""
        return sum(len(following.sockets) for following in self._guests.values())

    # --- Coming and going -------------------------------------------------------------------

    async def enter(self, socket: Socket) -> None:
        """Subscribe a socket to all matches of its guest, and send it how they stand.

        Raises `SignedOut` if its device may not know that.
        """
        guest_id = _guest_of(socket)
        assert socket.who is not None
        await database.read(devices.stored_guest, socket.who)
        following = self._come(socket, None)
        try:
            await self._read(following, guest_id)
            found = await database.read(history.going_on, guest_id)
            matches = [self._newest(one) for one in found]
            entries = [entry(one, guest_id) for one in matches]
            for one in matches:
                following.remember(one.row.pk, one.fingerprint)
            socket.push(
                protocol.encode(
                    {"type": "me", "your_turn": following.your_turn(), "matches": entries}
                )
            )
        except BaseException:
            self.leave(socket)
            raise

    def attend(self, socket: Socket, match_id: str) -> None:
        """Tell a match's socket how many other matches wait for its guest, now and later."""
        guest_id = _guest_of(socket)
        following = self._come(socket, match_id)
        self._tasks.spawn(self._tell_count(following, guest_id, socket))

    async def _tell_count(self, following: Following, guest_id: int, socket: Socket) -> None:
        if not socket.you and not await self._is_signed_in(socket):
            self.leave(socket)
            return
        await self._read(following, guest_id)
        if socket in following.places:
            self._show_count(following, socket)

    async def _is_signed_in(self, socket: Socket) -> bool:
        """Return whether a spectator's device is still signed in. A player's seat says that."""
        assert socket.who is not None
        try:
            await database.read(devices.stored_guest, socket.who)
        except SignedOut:
            return False
        return True

    def leave(self, socket: Socket) -> None:
        guest_id = socket.guest_id
        following = self._guests.get(guest_id) if guest_id is not None else None
        if following is None or guest_id is None:
            return
        following.go(socket)
        if following.is_empty:
            del self._guests[guest_id]
            self._count(following.standings or (), -1)

    def _newest(self, loaded: LoadedMatch) -> LoadedMatch:
        """Return a match as it is loaded here, if that is newer than what was read."""
        known = self.hub.loaded(loaded.row.pk)
        return known if known is not None and known.version >= loaded.version else loaded

    def _come(self, socket: Socket, match_id: str | None) -> Following:
        """Note a new socket; if there was only one match so far, catch up with that one."""
        guest_id = _guest_of(socket)
        following = self._guests.setdefault(guest_id, Following())
        before = following.only
        following.come(socket, match_id)
        is_known = following.only is None and following.standings is not None
        if before is not None and is_known and (loaded := self.hub.loaded(before)):
            self._note(following, before, standing(loaded, guest_id))
        return following

    def _show_count(self, following: Following, socket: Socket) -> None:
        """Tell a match's socket how many others wait, if it doesn't know."""
        count = following.shown_at(socket)
        if count != following.shown[socket]:
            following.shown[socket] = count
            socket.push(count_text(count))

    async def _show_counts(self, following: Following) -> None:
        """Tell the sockets of matches soon, and once for all that happens until then."""
        await asyncio.sleep(SHOW_AFTER)
        following.is_telling = False
        for socket in tuple(following.places):
            self._show_count(following, socket)

    async def _read(self, following: Following, guest_id: int) -> None:
        """Read how a guest's matches stand, unless that is known."""
        if following.standings is None:
            if following.reading is None:
                reading = self._read_again(following, guest_id)
                following.reading = asyncio.get_running_loop().create_task(reading)
            await asyncio.shield(following.reading)

    async def _read_again(self, following: Following, guest_id: int) -> list[str]:
        """Read how a guest's matches stand; return those that stand otherwise than we knew."""
        try:
            following.is_outdated = True
            while following.is_outdated:
                following.is_outdated = False
                found = await database.read(history.current, guest_id)
        finally:
            following.reading = None
        now = {one.id: one.standing for one in found}
        before = following.standings or {}
        if self._guests.get(guest_id) is following:
            self._count(before, -1)
            self._count(now, 1)
        following.standings = now
        following.waiting = {one for one in now if now[one] == Standing.YOUR_TURN}
        return [one for one in {**before, **now} if before.get(one) != now.get(one)]

    # --- Changes ----------------------------------------------------------------------------

    def _see(self, live: LiveMatch) -> None:
        """A match loaded here has changed. This runs for every move, so it looks twice at most."""
        loaded = live.loaded
        if loaded is None:
            return
        row, guests = loaded.row, self._guests
        first = guests.get(row.seat_1_id)  # type: ignore[arg-type]
        if first is not None and first.only != live.id:
            self._tell(first, row.seat_1_id, loaded)
        if row.seat_2_id != row.seat_1_id:
            second = guests.get(row.seat_2_id)  # type: ignore[arg-type]
            if second is not None and second.only != live.id:
                self._tell(second, row.seat_2_id, loaded)

    def _see_id(self, match_id: str) -> None:
        """A match that isn't loaded here has changed."""
        if match_id in self._matches:
            self._look_up(match_id)

    def _see_concern(self, concern: Concern) -> None:
        """A match has become one of these guests', or has changed for them."""
        if not self.hub.has_loaded(concern.match_id) and not self._guests.keys().isdisjoint(
            concern.guests
        ):
            self._look_up(concern.match_id)

    def _look_up(self, match_id: str) -> None:
        self._unread.add(match_id)
        if not self._is_reading:
            self._is_reading = True
            self._tasks.spawn(self._read_unread())

    async def _read_unread(self) -> None:
        try:
            while self._unread:
                ids = [self._unread.pop() for _ in range(min(MATCHES_AT_ONCE, len(self._unread)))]
                for loaded in await database.read(history.load, ids):
                    self._tell_both(self._newest(loaded))
        finally:
            self._is_reading = False

    def _tell_both(self, loaded: LoadedMatch) -> None:
        for guest_id in {loaded.row.seat_1_id, loaded.row.seat_2_id}:
            if guest_id is not None and (following := self._guests.get(guest_id)):
                self._tell(following, guest_id, loaded)

    def _tell(self, following: Following, guest_id: int | None, loaded: LoadedMatch) -> None:
        """Tell a guest's sockets that one of their matches has changed."""
        assert guest_id is not None
        if following.standings is None:
            following.is_outdated = True
            return
        match_id = loaded.row.pk
        self._note(following, match_id, standing(loaded, guest_id))
        if following.sockets and following.told.get(match_id) != loaded.fingerprint:
            following.remember(match_id, loaded.fingerprint)
            told = {"type": "match", **entry(loaded, guest_id), "your_turn": following.your_turn()}
            push_to(following.sockets, protocol.encode(told))
        if following.places and not following.is_telling:
            following.is_telling = True
            self._tasks.spawn(self._show_counts(following))
        rematch = loaded.row.rematch_id
        if rematch is not None and rematch not in following.standings:
            self._look_up(rematch)

    def _note(self, following: Following, match_id: str, now: Standing | None) -> None:
        """Note how a match stands. Those that are over are nothing to wait for."""
        standings = following.standings
        assert standings is not None
        if now == Standing.YOUR_TURN:
            following.waiting.add(match_id)
        else:
            following.waiting.discard(match_id)
        if now in (None, Standing.FINISHED):
            if standings.pop(match_id, None) is not None:
                self._count((match_id,), -1)
        elif now is not None:
            if match_id not in standings:
                self._count((match_id,), 1)
            standings[match_id] = now

    def _count(self, match_ids: Iterable[str], by: int) -> None:
        for match_id in match_ids:
            count = self._matches.get(match_id, 0) + by
            if count > 0:
                self._matches[match_id] = count
            else:
                self._matches.pop(match_id, None)

    async def compare(self) -> None:
        """Read again how the matches of some guests stand, if messages may have been lost."""
        if self.hub.relay is None:
            return
        for guest_id in tuple(self._guests)[:GUESTS_AT_ONCE]:
            following = self._guests.pop(guest_id, None)
            if following is None:
                continue
            # To the end, so that the next round goes on with the others.
            self._guests[guest_id] = following
            if following.standings is not None and following.reading is None:
                for match_id in await self._read_again(following, guest_id):
                    self._look_up(match_id)
            await asyncio.sleep(PAUSE)


def entry(loaded: LoadedMatch, guest_id: int) -> dict[str, Any]:
    """Return a match as its player sees it in a list."""
    row, you = loaded.row, loaded.row.seats_with(guest_id)
    opponent = protocol.player(loaded, 3 - you[0]) if len(you) == 1 else None
    moved = loaded.actions[-1].time if loaded.actions else None
    status = standing(loaded, guest_id) or row.status
    over = status == Standing.FINISHED
    ended = row.ended.timestamp() if row.ended else moved
    return {
        "id": row.pk,
        "game": row.game,
        "options": row.options,
        "status": status,
        "opponent": opponent,
        "you": you,
        "turn": None if over else loaded.state.turn,
        "outcome": protocol.outcome_json(loaded.outcome) if loaded.outcome else None,
        "url": f"/m/{row.pk}/",
        "version": loaded.version,
        "listed": row.listed,
        "same_device": row.same_device,
        "series": protocol.series(loaded),
        "rematch": protocol.rematch(row),
        "created": row.created.timestamp(),
        "moved": moved,
        "ended": ended if over else None,
    }


def standing(loaded: LoadedMatch, guest_id: int) -> Standing | None:
    return history.standing_of(loaded, guest_id)


def count_text(count: int) -> str:
    return protocol.encode({"type": "me", "your_turn": count})


def _guest_of(socket: Socket) -> int:
    assert socket.guest_id is not None
    return socket.guest_id
