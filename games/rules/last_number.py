"""The three last-number games: play a number that fits the one before it, or lose.

The pool holds the numbers 1 to 9. The first number can be any of them. Every later one must be
unused and must fit the number before it, no matter which player played that:

- Number Tower Duel and Number Eliminator: it is a divisor or a multiple;
- Chain Factor: the two share no factor greater than 1.

There is no passing. If you have no number to play on your turn, you lose, so there is no draw.

Options: `pool`, the highest number; `opening`, which numbers may be played first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from random import Random
from typing import Any, NamedTuple

from games.rules.contract import (
    OUT_OF_RANGE,
    Event,
    Game,
    IllegalMove,
    Move,
    Outcome,
    Seat,
    Step,
    other,
    winning_events,
)
from games.rules.numbers import bits, members, one_to
from games.rules.options import Option, complete, show
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _

HIGHEST_POOL = 100

OPENINGS: Mapping[str, int] = {
    "any": one_to(HIGHEST_POOL),
    # With larger pools, "even" rules out the strongest first moves: the large primes.
    "even": bits(range(2, HIGHEST_POOL + 1, 2)),
}


@dataclass(frozen=True, eq=False)
class Relation:
    """When a number fits the one before it, and the sentences for when it doesn't."""

    fits: Callable[[int, int], bool]
    broken: Callable[[int, int], Sentence]
    none_left: Template


NEITHER = Template(_("{number} is neither a divisor nor a multiple of {last}."))
SHARED = Template(_("{number} and {last} share the factor {factor}."))
ODD_FIRST = Template(_("The first number must be even, and {number} is odd."))
NOTHING_LEFT = Template(
    _("{player} can't move: no number is left."), you=_("You can't move: no number is left.")
)
NO_DIVISOR_OR_MULTIPLE = Template(
    _("{player} can't move: no divisor or multiple of {last} is left."),
    you=_("You can't move: no divisor or multiple of {last} is left."),
)
ALL_SHARE_A_FACTOR = Template(
    _("{player} can't move: every number left shares a factor with {last}."),
    you=_("You can't move: every number left shares a factor with {last}."),
)
IN_THE_TOWER = Template(_("{number} is already in the tower."))
CROSSED_OFF = Template(_("{number} has already been crossed off."))
REMOVED = Template(_("{number} has already been removed."))

DIVISOR_OR_MULTIPLE = Relation(
    fits=lambda number, last: number % last == 0 or last % number == 0,
    broken=lambda number, last: NEITHER(number=number, last=last),
    none_left=NO_DIVISOR_OR_MULTIPLE,
)

NO_SHARED_FACTOR = Relation(
    fits=lambda number, last: gcd(number, last) == 1,
    broken=lambda number, last: SHARED(number=number, last=last, factor=gcd(number, last)),
    none_left=ALL_SHARE_A_FACTOR,
)


@cache
def followers(relation: Relation, pool: int) -> tuple[int, ...]:
    """Return for every number of the pool the set of numbers that fit it."""
    numbers = range(1, pool + 1)
    return (
        0,
        *(bits(n for n in numbers if n != last and relation.fits(n, last)) for last in numbers),
    )


@cache
def ending(relation: Relation, loser: Seat, last: int | None) -> Outcome:
    """Return the outcome when a player can't follow `last`, or (None) when no number is left."""
    if last is None:
        text = NOTHING_LEFT(player=loser)
    else:
        text = relation.none_left(player=loser, last=last)
    return Outcome(other(loser), "stuck", text)


class LastNumberState(NamedTuple):
    """The numbers played so far, in order. The last three fields are derived from them."""

    pool: int
    opening: str
    played: tuple[int, ...]
    remaining: int
    playable: int
    turn: Seat


@dataclass(frozen=True, eq=False)
class LastNumber(Game[LastNumberState]):
    """A last-number game: its names, its relation, and its type of event."""

    slug: str
    name: str
    relation: Relation
    event: str
    used: Template
    options = {
        "pool": Option(9, range(2, HIGHEST_POOL + 1)),
        "opening": Option("any", tuple(OPENINGS)),
    }

    def setup(self, rng: Random, /, **options: Any) -> LastNumberState:
        chosen = complete(self.options, options)
        return self.from_json({**chosen, "played": ()})

    def legal_moves(self, state: LastNumberState) -> tuple[Move, ...]:
        return members(state.playable)

    def on_board(self, state: LastNumberState) -> tuple[int, ...]:
        return members(state.remaining)

    def outcome(self, state: LastNumberState) -> Outcome | None:
        if state.playable:
            return None
        return ending(self.relation, state.turn, state.played[-1] if state.remaining else None)

    def advance(self, state: LastNumberState, move: Move) -> Step[LastNumberState]:
        assert isinstance(move, int)
        pool, opening, played, remaining, _, seat = state
        remaining &= ~(1 << move)
        playable = remaining & followers(self.relation, pool)[move]
        after = LastNumberState(pool, opening, (*played, move), remaining, playable, other(seat))
        event: Event = {
            "type": self.event,
            "seat": seat,
            "number": move,
            "after": played[-1] if played else None,
            "count": len(played) + 1,
        }
        if playable:
            return Step(after, (event,))
        stuck: Event = {"type": "stuck", "seat": after.turn}
        return Step(after, (event, stuck, *winning_events(self.outcome(after))))

    def objection(self, state: LastNumberState, move: int) -> IllegalMove:
        if not 1 <= move <= state.pool:
            text = OUT_OF_RANGE(highest=state.pool, entry=show(move))
            return IllegalMove("not_available", text)
        if move in state.played:
            return IllegalMove("not_available", self.used(number=move))
        if not state.played:
            return IllegalMove("breaks_rule", ODD_FIRST(number=move))
        return IllegalMove("breaks_rule", self.relation.broken(move, state.played[-1]))

    def to_json(self, state: LastNumberState) -> dict[str, Any]:
        return {
            "pool": state.pool,
            "opening": state.opening,
            "played": list(state.played),
            "remaining": list(members(state.remaining)),
            "turn": state.turn,
        }

    def from_json(self, data: Mapping[str, Any]) -> LastNumberState:
        pool, opening, played = data["pool"], data["opening"], tuple(data["played"])
        remaining = one_to(pool) & ~bits(played)
        fitting = followers(self.relation, pool)[played[-1]] if played else OPENINGS[opening]
        return LastNumberState(
            pool, opening, played, remaining, remaining & fitting, len(played) % 2 + 1
        )


TOWER_DUEL = LastNumber(
    slug="number-tower-duel",
    name="Number Tower Duel",
    relation=DIVISOR_OR_MULTIPLE,
    event="placed",
    used=IN_THE_TOWER,
)

ELIMINATOR = LastNumber(
    slug="number-eliminator",
    name="Number Eliminator",
    relation=DIVISOR_OR_MULTIPLE,
    event="crossed_off",
    used=CROSSED_OFF,
)

CHAIN_FACTOR = LastNumber(
    slug="chain-factor",
    name="Chain Factor",
    relation=NO_SHARED_FACTOR,
    event="removed",
    used=REMOVED,
)
