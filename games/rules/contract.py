"""The contract that every game keeps: what it can be asked, and what it answers.

A game has no state of its own: it turns one immutable state into the next. Whoever keeps a match
keeps its setup and its moves; everything else can be played again from those.

The events of a move, in the order in which they happen, one vocabulary for all games. `seat` is
the player it happened to:

    placed       seat, number, after, count     a block on the tower, on `after` or on nothing
    removed      seat, number, after, count     a number taken out of the chain
    crossed_off  seat, number, after, count     a number struck off the list
    centre       seat, number                   a blossom's centre was chosen
    petal        seat, number, shared, count    a petal; `shared` is its factor with the centre
    completed    seat, count                    that blossom has all its petals
    taken        seat, number, position         a number was selected from the grid
    scored       seat, points, total
    collapsed    seat, number, position, under  a smaller neighbour fell under the selected number
    reached      seat, total, target            that player's total has come to the target
    last_reply   seat, total, target            that player has one turn to overtake that total
    emptied                                     the grid has no number left
    passed       seat
    stuck        seat                           that player has nothing to play
    won          seat, code, text               the match is over; as in `Outcome`
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from games.refusals import Refusal
from games.rules.options import Option, show
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

Seat: TypeAlias = int
"""1 or 2; Player 1 has the first turn."""

Move: TypeAlias = int | str
"""A number (in Number Collapse a position), or the word `pass`."""

Event: TypeAlias = dict[str, Any]
"""A JSON object with a `type`, for the eye; the module's text lists them all."""

PASS: Literal["pass"] = "pass"

EVENT_TYPES = frozenset(
    {
        *("placed", "removed", "crossed_off"),
        *("centre", "petal", "completed", "passed"),
        *("taken", "scored", "collapsed", "reached", "last_reply", "emptied"),
        *("stuck", "won"),
    }
)

Code: TypeAlias = Literal[
    "not_a_move",
    "not_available",
    "breaks_rule",
    "own_centre",
    "must_pass",
    "may_not_pass",
    "not_your_turn",
    "finished",
]


FINISHED = Template(_("This match is over."))
WRONG_TURN = Template(_("It's {player}'s turn."), you=_("It's your turn."))
NO_PASSING = Template(_("There's no passing in {game}: play a number."))
NOT_A_NUMBER = Template(_("A move is a whole number, not {entry}."))
NOT_A_NUMBER_OR_PASS = Template(_("A move is a whole number or the word pass, not {entry}."))
OUT_OF_RANGE = Template(_("The numbers go from 1 to {highest}, and {entry} isn't one of them."))


class IllegalMove(Refusal):
    """A refused move: a stable `code` for programs, and a `text` that tells people why."""

    def __init__(self, code: Code, text: Sentence) -> None:
        super().__init__(code, text)


class Outcome(NamedTuple):
    """How a match ended: never without a winner, never without a cause."""

    winner: Seat
    code: str
    text: Sentence


class State(Protocol):
    """What every game's state has; it is immutable and hashable besides."""

    @property
    def turn(self) -> Seat: ...


S = TypeVar("S", bound=State)


class Step(NamedTuple, Generic[S]):
    """What a move leads to: the next state, and the events that tell how it came about."""

    state: S
    events: tuple[Event, ...]


def other(seat: Seat) -> Seat:
    return 3 - seat


def winning_events(outcome: Outcome | None) -> tuple[Event, ...]:
    """The `won` event of a finished match, nothing for a running one."""
    if outcome is None:
        return ()
    return ({"type": "won", "seat": outcome.winner, "code": outcome.code, "text": outcome.text},)


class Game(ABC, Generic[S]):
    """One game's rules.

    A new game implements the abstract methods; one with passes also sets `has_passes` and
    implements `pass_objection`. Seats take turns strictly; the first event of a move carries its
    seat; texts are whole sentences. `options` are those of the default board.
    """

    slug: str
    name: str
    options: Mapping[str, Option]
    has_passes: ClassVar[bool] = False

    @abstractmethod
    def setup(self, rng: Random, **options: Any) -> S:
        """The first state of a match; all chance comes from `rng`."""

    @abstractmethod
    def legal_moves(self, state: S) -> tuple[Move, ...]:
        """Every move that `play` accepts now, sorted; none when the match is over."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Who won and why, or None while the match goes on."""

    @abstractmethod
    def on_board(self, state: S) -> tuple[int, ...]:
        """What could be pointed at: the numbers (or positions) still there, legal or not."""

    @abstractmethod
    def advance(self, state: S, move: Move) -> Step[S]:
        """What a legal move leads to. Only `play` calls this."""

    @abstractmethod
    def objection(self, state: S, move: int) -> IllegalMove:
        """Why this number, which is no legal move of a running match, may not be played.

        Its text has the number as the value `number`, so that one sentence can serve many.
        """

    @abstractmethod
    def to_json(self, state: S) -> dict[str, Any]:
        """The state as plain JSON, `turn` included, with all that a board needs to draw it."""

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> S:
        """The state that `to_json` gave; it is trusted, not checked."""

    def play(self, state: S, seat: Seat, move: Move) -> Step[S]:
        """Play a move, or raise `IllegalMove`; the given state stays as it is."""
        # The types are asked first, because True and 1.0 equal 1.
        if (
            (type(move) is int or type(move) is str)
            and type(seat) is int
            and seat == state.turn
            and move in self.legal_moves(state)
        ):
            return self.advance(state, move)
        raise self._refusal(state, seat, move)

    def why_not(self, state: S) -> Mapping[int, Sentence]:
        """Why each number on the board that may not be played now would be refused."""
        legal = self.legal_moves(state)
        barred = [number for number in self.on_board(state) if number not in legal]
        if self.outcome(state) is not None:
            return dict.fromkeys(barred, FINISHED())
        return {number: self.objection(state, number).text for number in barred}

    def pass_objection(self, state: S) -> IllegalMove:
        """Why the player to move may not pass."""
        return IllegalMove("may_not_pass", NO_PASSING(game=self.name))

    def spoken(self, state: S, move: Move) -> Move:
        """What people call a move: its number."""
        return move

    def _refusal(self, state: S, seat: Seat, move: object) -> IllegalMove:
        if self.outcome(state) is not None:
            return IllegalMove("finished", FINISHED())
        if type(seat) is not int or seat != state.turn:
            return IllegalMove("not_your_turn", WRONG_TURN(player=state.turn))
        if type(move) is str and move == PASS:
            return self.pass_objection(state)
        if type(move) is not int:
            expected = NOT_A_NUMBER_OR_PASS if self.has_passes else NOT_A_NUMBER
            return IllegalMove("not_a_move", expected(entry=show(move)))
        return self.objection(state, move)
