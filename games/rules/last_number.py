"""The three last-number games: play a number that fits the one before; who cannot, loses.

The pool holds the numbers 1 to 9. The first number is free. Every later one must be unused and must
fit the number played last, by whichever player:

- Number Tower Duel and Number Eliminator: it is a divisor or a multiple of it;
- Chain Factor: it shares no factor greater than 1 with it.

Nobody may pass. A player who has no number to play on their turn loses, so there is no draw.

Options: `pool`, the highest number; `opening`, which numbers may be played first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import gcd
from random import Random
from typing import Any, NamedTuple

from games.rules.contract import (
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

HIGHEST_POOL = 100

OPENINGS: Mapping[str, int] = {
    "any": one_to(HIGHEST_POOL),
    # With larger pools, "even" takes away the strongest first moves: the large primes.
    "even": bits(range(2, HIGHEST_POOL + 1, 2)),
}


@dataclass(frozen=True, eq=False)
class Relation:
    """When a number fits the one before it, and how to say that it does not."""

    fits: Callable[[int, int], bool]
    broken: Callable[[int, int], str]
    none_left: str


DIVISOR_OR_MULTIPLE = Relation(
    fits=lambda number, last: number % last == 0 or last % number == 0,
    broken=lambda number, last: f"{number} is neither a divisor nor a multiple of {last}.",
    none_left="no divisor or multiple of {last} is left",
)

NO_SHARED_FACTOR = Relation(
    fits=lambda number, last: gcd(number, last) == 1,
    broken=lambda number, last: f"{number} and {last} share the factor {gcd(number, last)}.",
    none_left="every number left shares a factor with {last}",
)


@cache
def followers(relation: Relation, pool: int) -> tuple[int, ...]:
    """For every number of the pool, the set of numbers that fit it."""
    numbers = range(1, pool + 1)
    return (
        0,
        *(bits(n for n in numbers if n != last and relation.fits(n, last)) for last in numbers),
    )


class LastNumberState(NamedTuple):
    """The numbers played so far, in order; the last three fields follow from them."""

    pool: int
    opening: str
    played: tuple[int, ...]
    remaining: int
    playable: int
    turn: Seat


@dataclass(frozen=True, eq=False)
class LastNumber(Game[LastNumberState]):
    """A last-number game: its names, its relation, and what the player sees a move do."""

    slug: str
    name: str
    relation: Relation
    event: str
    used: str
    options = {
        "pool": Option(9, range(2, HIGHEST_POOL + 1)),
        "opening": Option("any", tuple(OPENINGS)),
    }

    def setup(self, rng: Random, **options: Any) -> LastNumberState:
        chosen = complete(self.options, options)
        return self.from_json({**chosen, "played": ()})

    def legal_moves(self, state: LastNumberState) -> tuple[Move, ...]:
        return members(state.playable)

    def on_board(self, state: LastNumberState) -> tuple[int, ...]:
        return members(state.remaining)

    def outcome(self, state: LastNumberState) -> Outcome | None:
        if state.playable:
            return None
        reason = "no number is left"
        if state.remaining:
            reason = self.relation.none_left.format(last=state.played[-1])
        text = f"Player {state.turn} cannot move, because {reason}."
        return Outcome(other(state.turn), "stuck", text)

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
            text = f"The numbers go from 1 to {state.pool}, and {show(move)} is not among them."
            return IllegalMove("not_available", text)
        if move in state.played:
            return IllegalMove("not_available", self.used.format(number=move))
        if not state.played:
            return IllegalMove("breaks_rule", f"The first number must be even, and {move} is odd.")
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
    used="{number} is already in the tower.",
)

ELIMINATOR = LastNumber(
    slug="number-eliminator",
    name="Number Eliminator",
    relation=DIVISOR_OR_MULTIPLE,
    event="crossed_off",
    used="{number} has been crossed off already.",
)

CHAIN_FACTOR = LastNumber(
    slug="chain-factor",
    name="Chain Factor",
    relation=NO_SHARED_FACTOR,
    event="removed",
    used="{number} has been removed already.",
)
