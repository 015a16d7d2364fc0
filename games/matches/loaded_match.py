"""A match in memory: its row, its actions, and the current state.

Earlier states are replayed when somebody asks for them. Nothing here does I/O: an action is first
checked here, then committed by the writer, and only then added to the loaded match.
"""

import time
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from games.matches.identity import Who
from games.matches.selectors import StoredAction, StoredMatch, fingerprint
from games.models import Match
from games.refusals import Refusal
from games.rules import GAMES, PASS, Event, Move, Outcome, Seat, other
from games.rules.contract import FINISHED, Game, winning_events
from games.sentences import Template
from games.sentences import gettext_noop as _

RESIGNED = Template(_("{player} resigned."), you=_("You resigned."))
STALE = Template(_("The match has moved on. Look at the board again, then choose."))
NOT_STARTED = Template(_("The match starts when both seats are taken."))
CLOSED = Template(_("This match was closed. Start a new one."))
OUT_OF_TIME = Template(_("{player} did not move in time."), you=_("You did not move in time."))


def wall_ahead() -> float:
    """Return what to add to monotonic time to get wall time.

    Rounded, so that the answer doesn't differ by microseconds from one call to the next.
    """
    return round(time.time() - time.monotonic(), 1)


# As it was when the process started.
FIRST_WALL_AHEAD = wall_ahead()


def from_wall(stored: float) -> float:
    """Return a stored wall time in this process's monotonic time.

    If the wall clock has jumped since the process started, the later of the two possible answers
    counts, so that nothing seems to have lasted longer than it did.
    """
    return stored - min(wall_ahead(), FIRST_WALL_AHEAD)


def stale_version() -> Refusal:
    return Refusal("stale_version", STALE())


class Result:
    """What an action leads to. Nothing of it changes, so matches share the results of moves."""

    __slots__ = ("encoded", "events", "outcome", "state")

    def __init__(self, state: Any, events: tuple[Event, ...], outcome: Outcome | None) -> None:
        self.state, self.events, self.outcome = state, events, outcome
        # As JSON, once somebody needs it (games/live/protocol.py).
        self.encoded: bytes | None = None


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One action and its result."""

    action: StoredAction
    result: Result

    @property
    def events(self) -> tuple[Event, ...]:
        return self.result.events

    @property
    def state(self) -> Any:
        return self.result.state

    @property
    def outcome(self) -> Outcome | None:
        return self.result.outcome


class LoadedMatch:
    def __init__(self, stored: StoredMatch) -> None:
        self.row = stored.row
        self.game = GAMES[stored.row.game]
        self.first_state = self.game.from_json(stored.row.setup)
        self.wins_before = stored.wins_before
        # The computer's level in each seat, empty for people. It never changes.
        self.levels = tuple(
            guest.level if guest else "" for guest in (self.row.seat_1, self.row.seat_2)
        )
        self.actions: list[StoredAction] = []
        # How many actions there are.
        self.version = 0
        self.state: Any = self.first_state
        self.outcome: Outcome | None = None
        # When this process saw the current turn begin, or loaded the match, in monotonic time.
        self.turn_seen = time.monotonic()
        self.last: Entry | None = None
        self.extend(self.replay(stored.actions))

    @property
    def entries(self) -> list[Entry]:
        """The whole match, replayed."""
        return self._play(self.first_state, self.actions)

    @property
    def fingerprint(self) -> tuple[Any, ...]:
        status = Match.Status.FINISHED if self.outcome else self.row.status
        return (self.version, status, *fingerprint(self.row, self.version)[2:])

    @property
    def is_live(self) -> bool:
        return self.outcome is None and self.row.status == Match.Status.LIVE

    @property
    def has_computer(self) -> bool:
        return any(self.levels)

    @property
    def level_to_move(self) -> str | None:
        """Return the computer's level if it's the computer's turn, else None."""
        if not any(self.levels) or not self.is_live:
            return None
        return self.levels[self.state.turn - 1] or None

    def is_computer(self, seat: Seat) -> bool:
        return bool(self.levels[seat - 1])

    @property
    def turn_began(self) -> float:
        """When the current turn began, in this process's monotonic time.

        Only wall time is stored, and a wall clock may jump. So the turn counts as no older than
        this process has seen it, and no older than the stored time says.
        """
        stored = self._turn_time
        if stored is None:
            return self.turn_seen
        return max(self.turn_seen, stored - wall_ahead())

    @property
    def turn_began_as_stored(self) -> float:
        """When the current turn began as stored, in this process's monotonic time.

        For turns that take days: processes are restarted in the meantime.
        """
        stored = self._turn_time
        return self.turn_seen if stored is None else from_wall(stored)

    @property
    def _turn_time(self) -> float | None:
        if self.actions:
            return self.actions[-1].time
        return self.row.started.timestamp() if self.row.started else None

    def keep_turn_of(self, before: "LoadedMatch") -> None:
        """Remember since when we have seen this turn, although the match was reloaded."""
        if before.is_live and before.version == self.version:
            self.turn_seen = before.turn_seen

    @property
    def score(self) -> tuple[int, int]:
        """Wins in the series by seat, including this match once it is over."""
        one, two = self.wins_before
        if self.outcome is not None:
            one, two = (one + 1, two) if self.outcome.winner == 1 else (one, two + 1)
        return one, two

    def seats_of(self, who: Who | None) -> tuple[Seat, ...]:
        return self.row.seats_of(who)

    def has_moved(self, seat: Seat) -> bool:
        """Return whether the player in this seat has done anything. Forced passes don't count."""
        return any(action.seat == seat and action.client_id is not None for action in self.actions)

    def version_of(self, seat: Seat, client_id: str) -> int | None:
        """Return the version this client already made under this id."""
        # A match has about a hundred actions. Looking through them takes a few microseconds, and an
        # index would take more memory than the actions.
        for action in reversed(self.actions):
            if action.client_id == client_id and action.seat == seat:
                return action.version
        return None

    def entry(self, version: int) -> Entry:
        """Return the entry with this version. The last one is at hand, others are replayed."""
        if self.last is not None and version == self.version:
            return self.last
        return self._play(self.first_state, self.actions[:version])[-1]

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add committed entries."""
        for entry in entries:
            action, result = entry.action, entry.result
            if action.version > self.version:
                self.actions.append(action)
                self.version += 1
                self.state, self.outcome = result.state, result.outcome
                self.turn_seen = time.monotonic()
                self.last = entry

    def replay(self, actions: Iterable[StoredAction]) -> list[Entry]:
        """Play actions that were already accepted, starting from the loaded state."""
        return self._play(self.state, actions)

    def _play(self, state: Any, actions: Iterable[StoredAction]) -> list[Entry]:
        entries = []
        for action in actions:
            if action.decision is None:
                assert action.move is not None
                result = played(self.game, state, action.seat, action.move)
            else:
                result = decided(action.decision, action.seat, state)
            state = result.state
            entries.append(Entry(action, result))
        return entries

    def judge_move(self, seat: Seat, move: Move, version: int, client_id: str) -> list[Entry]:
        """Return the entries a move leads to: its own, and the pass it forces on the other player.

        Raises a `Refusal` if the move may not be played.
        """
        self.must_be_live()
        if version != self.version:
            raise stale_version()
        game, now = self.game, time.time()
        result = played(game, self.state, seat, move)
        entries = [Entry(StoredAction(version + 1, seat, move, None, client_id, now), result)]
        state = result.state
        if game.has_passes and game.legal_moves(state) == (PASS,):
            action = StoredAction(version + 2, state.turn, PASS, None, None, now)
            entries.append(Entry(action, played(game, state, state.turn, PASS)))
        return entries

    def judge_decision(self, seat: Seat, decision: str, client_id: str) -> list[Entry]:
        """Return the entry for a decision that ends the match."""
        self.must_be_live()
        action = StoredAction(self.version + 1, seat, None, decision, client_id, time.time())
        return [Entry(action, decided(decision, seat, self.state))]

    def must_be_live(self) -> None:
        if self.outcome is not None:
            raise Refusal("finished", FINISHED())
        if self.row.status == Match.Status.LIVE:
            return
        if self.row.status == Match.Status.OPEN:
            raise Refusal("not_started", NOT_STARTED())
        raise Refusal("closed", CLOSED())


def played(game: Game[Any], state: Any, seat: Seat, move: Move) -> Result:
    """Return the result of a move, or raise a `Refusal` if it may not be played."""
    # The rules refuse anything else. Here True would be found as 1.
    if type(move) is int or type(move) is str:
        return _played(game, state, seat, move)
    return _played.__wrapped__(game, state, seat, move)


@lru_cache(maxsize=1024)
def _played(game: Game[Any], state: Any, seat: Seat, move: Move) -> Result:
    after, events = game.play(state, seat, move)
    return Result(after, events, game.outcome(after))


def decided(decision: str, seat: Seat, state: Any) -> Result:
    """Return the result of a decision by this seat, which ends the match in this state."""
    if decision == "resign":
        outcome = Outcome(other(seat), "resign", RESIGNED(player=seat))
    else:
        outcome = Outcome(seat, "claim", OUT_OF_TIME(player=other(seat)))
    return Result(state, winning_events(outcome), outcome)
