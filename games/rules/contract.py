"""The interface that every game implements.

A game object holds no state: it turns one immutable state into the next. To store a match, store
its setup and its moves; everything else can be replayed from those.

A move returns events, in the order in which they happen. All games share these types of events.
`seat` is the player it happened to:

    placed       seat, number, after, count     a block on the tower, on `after` or on nothing
    removed      seat, number, after, count     a number taken out of the chain
    crossed_off  seat, number, after, count     a number struck off the list
    centre       seat, number                   a blossom's centre was chosen
    petal        seat, number, shared, count    a petal; `shared` is its factor with the centre
    completed    seat, count                    that blossom has all its petals
    taken        seat, number, position         a number was selected from the grid
    scored       seat, points, total
    collapsed    seat, number, position, under  a smaller neighbour fell under the selected number
    reached      seat, total, target            that player's total has reached the target
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
"""A JSON object with a `type`, for display. The module's docstring lists all types."""

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
    """A refused move, with a stable `code` for programs and a `text` that tells people why."""

    def __init__(self, code: Code, text: Sentence) -> None:
        super().__init__(code, text)


class Outcome(NamedTuple):
    """How a match ended. There is always a winner and a reason."""

    winner: Seat
    code: str
    text: Sentence


class State(Protocol):
    """What every game's state has. States are also immutable and hashable."""

    @property
    def turn(self) -> Seat: ...


S = TypeVar("S", bound=State)


class Step(NamedTuple, Generic[S]):
    """The result of a move: the next state, and the events that led to it."""

    state: S
    events: tuple[Event, ...]


def other(seat: Seat) -> Seat:
    return 3 - seat


def winning_events(outcome: Outcome | None) -> tuple[Event, ...]:
    """Return the `won` event of a finished match; nothing if the match isn't over."""
    if outcome is None:
        return ()
    return ({"type": "won", "seat": outcome.winner, "code": outcome.code, "text": outcome.text},)


class Game(ABC, Generic[S]):
    """One game's rules.

    A new game implements the abstract methods; one with passes also sets `has_passes` and
    implements `pass_objection`. Seats always alternate; the first event of a move has its seat;
    texts are whole sentences. `options` are those of the default board.
    """

    slug: str
    name: str
    options: Mapping[str, Option]
    has_passes: ClassVar[bool] = False

    @abstractmethod
    def setup(self, rng: Random, /, **options: Any) -> S:
        """Return the first state of a match. Use only `rng` for random choices."""

    @abstractmethod
    def legal_moves(self, state: S) -> tuple[Move, ...]:
        """Return every move that `play` accepts now, sorted; none when the match is over."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return who won and why, or None while the match goes on."""

    @abstractmethod
    def on_board(self, state: S) -> tuple[int, ...]:
        """Return the numbers (or positions) still on the board, legal or not."""

    @abstractmethod
    def advance(self, state: S, move: Move) -> Step[S]:
        """Return the result of a legal move. Only `play` calls this."""

    @abstractmethod
    def objection(self, state: S, move: int) -> IllegalMove:
        """Return why this number can't be played. Called only for illegal moves of a running match.

        The text has the number as its value `number`, so that numbers can share a sentence.
        """

    @abstractmethod
    def to_json(self, state: S) -> dict[str, Any]:
        """Return the state as plain JSON: `turn`, and everything a board needs to draw it."""

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> S:
        """Return the state that `to_json` was called with. The data is not checked."""

    def play(self, state: S, seat: Seat, move: Move) -> Step[S]:
        """Play a move, or raise `IllegalMove`. The given state doesn't change."""
        # Check the type first, because True and 1.0 equal 1.
        if (
            (type(move) is int or type(move) is str)
            and type(seat) is int
            and seat == state.turn
            and move in self.legal_moves(state)
        ):
            return self.advance(state, move)
        raise self._refusal(state, seat, move)

    def why_not(self, state: S) -> Mapping[int, Sentence]:
        """Return the numbers on the board that can't be played now, each with the reason."""
        legal = self.legal_moves(state)
        barred = [number for number in self.on_board(state) if number not in legal]
        if self.outcome(state) is not None:
            return dict.fromkeys(barred, FINISHED())
        return {number: self.objection(state, number).text for number in barred}

    def pass_objection(self, state: S) -> IllegalMove:
        """Return why the player to move can't pass."""
        return IllegalMove("may_not_pass", NO_PASSING(game=self.name))

    def spoken(self, state: S, move: Move) -> Move:
        """Return what people call a move: its number."""
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
