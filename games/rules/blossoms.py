"""Number Blossoms: grow petals around a centre; four petals win.

The pool holds the numbers 1 to 9. On their first turn each player takes a centre from it, Player 1
before Player 2. On every later turn a player adds one petal: an unused number that shares a factor
greater than 1 with their own centre. Your fourth petal wins the match at once.

You must pass if you can't add a petal, and only then. When neither player can add one, the match
ends: the player with more petals wins. If both have the same number, Player 1 wins, who took the
first turn. So there is no draw.

Options: `pool`, the highest number; `petals`, how many complete a blossom.
"""

from collections.abc import Mapping
from functools import cache
from math import gcd
from random import Random
from typing import Any, NamedTuple

from games.rules.contract import (
    OUT_OF_RANGE,
    PASS,
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
from games.sentences import Template
from games.sentences import gettext_noop as _

OWN_CENTRE = Template(_("{number} is your centre, and a centre can't also be a petal."))
GONE = Template(_("{number} has already left the pool."))
NO_SHARED_FACTOR = Template(_("{number} and your centre {centre} share no factor greater than 1."))
NONE_FITS = Template(
    _(
        "{number} and your centre {centre} share no factor greater than 1. "
        "No number in the pool does, so you must pass."
    )
)
CENTRE_FIRST = Template(_("You can't pass: choose your centre first."))
PETAL_FITS = Template(_("You can't pass while a petal fits your centre {centre}: {numbers}."))
COMPLETE = Template(_("The blossom is complete, with {petals} of {petals} petals."))
FIRST_TURN = Template(
    _("Nobody can add a petal, both have {petals}, and {player} took the first turn."),
    you=_("Nobody can add a petal, both have {petals}, and you took the first turn."),
)
MORE_PETALS = Template(_("Nobody can add a petal, and {more} beats {fewer}."))


class Blossom(NamedTuple):
    """One player's flower. It has no centre before their first turn."""

    centre: int | None = None
    petals: tuple[int, ...] = ()


class BlossomsState(NamedTuple):
    """Both flowers, Player 1's first, and the numbers left in the pool."""

    pool: int
    petals: int
    blossoms: tuple[Blossom, Blossom]
    remaining: int
    turn: Seat


@cache
def petals_of(centre: int, pool: int) -> int:
    """Return the set of numbers that share a factor with a centre."""
    return bits(number for number in range(2, pool + 1) if gcd(number, centre) > 1)


def addable(state: BlossomsState, seat: Seat) -> int:
    """Return the set of petals that a player with a centre could add now."""
    centre = state.blossoms[seat - 1].centre
    assert centre is not None
    return state.remaining & petals_of(centre, state.pool)


class Blossoms(Game[BlossomsState]):
    slug = "number-blossoms"
    name = "Number Blossoms"
    options = {"pool": Option(9, range(2, 21)), "petals": Option(4, range(1, 9))}
    has_passes = True

    def setup(self, rng: Random, /, **options: Any) -> BlossomsState:
        chosen = complete(self.options, options)
        blossoms = (Blossom(), Blossom())
        return BlossomsState(chosen["pool"], chosen["petals"], blossoms, one_to(chosen["pool"]), 1)

    def legal_moves(self, state: BlossomsState) -> tuple[Move, ...]:
        if state.blossoms[state.turn - 1].centre is None:
            return members(state.remaining)
        if self.outcome(state) is not None:
            return ()
        return members(addable(state, state.turn)) or (PASS,)

    def on_board(self, state: BlossomsState) -> tuple[int, ...]:
        return members(state.remaining)

    def outcome(self, state: BlossomsState) -> Outcome | None:
        one, two = state.blossoms
        if two.centre is None:
            return None
        counts = len(one.petals), len(two.petals)
        if max(counts) == state.petals:
            winner = 1 if counts[0] == state.petals else 2
            return Outcome(winner, "completed", COMPLETE(petals=state.petals))
        if addable(state, 1) or addable(state, 2):
            return None
        if counts[0] == counts[1]:
            return Outcome(1, "first_turn", FIRST_TURN(petals=counts[0], player=1))
        winner = 1 if counts[0] > counts[1] else 2
        text = MORE_PETALS(more=max(counts), fewer=min(counts))
        return Outcome(winner, "more_petals", text)

    def advance(self, state: BlossomsState, move: Move) -> Step[BlossomsState]:
        seat = state.turn
        events: list[Event] = []
        blossoms, remaining = state.blossoms, state.remaining
        if isinstance(move, str):
            events.append({"type": "passed", "seat": seat})
        else:
            own = blossoms[seat - 1]
            if own.centre is None:
                own = Blossom(move)
                events.append({"type": "centre", "seat": seat, "number": move})
            else:
                own = Blossom(own.centre, (*own.petals, move))
                events.append(
                    {
                        "type": "petal",
                        "seat": seat,
                        "number": move,
                        "shared": gcd(move, own.centre or 0),
                        "count": len(own.petals),
                    }
                )
            blossoms = (own, blossoms[1]) if seat == 1 else (blossoms[0], own)
            remaining &= ~(1 << move)
        after = BlossomsState(state.pool, state.petals, blossoms, remaining, other(seat))
        outcome = self.outcome(after)
        stuck: tuple[Seat, ...] = ()
        if outcome is None:
            if after.blossoms[1].centre is not None and not addable(after, after.turn):
                stuck = (after.turn,)
        elif outcome.code == "completed":
            events.append({"type": "completed", "seat": seat, "count": state.petals})
        else:
            stuck = (after.turn, seat)
        events += [{"type": "stuck", "seat": one} for one in stuck]
        return Step(after, (*events, *winning_events(outcome)))

    def objection(self, state: BlossomsState, move: int) -> IllegalMove:
        own = state.blossoms[state.turn - 1]
        if move == own.centre:
            return IllegalMove("own_centre", OWN_CENTRE(number=move))
        if not 1 <= move <= state.pool:
            text = OUT_OF_RANGE(highest=state.pool, entry=show(move))
            return IllegalMove("not_available", text)
        if not state.remaining >> move & 1:
            return IllegalMove("not_available", GONE(number=move))
        # Any number may be chosen as a centre, so a player without a centre never gets here.
        assert own.centre is not None
        if addable(state, state.turn):
            text = NO_SHARED_FACTOR(number=move, centre=own.centre)
            return IllegalMove("breaks_rule", text)
        return IllegalMove("must_pass", NONE_FITS(number=move, centre=own.centre))

    def pass_objection(self, state: BlossomsState) -> IllegalMove:
        own = state.blossoms[state.turn - 1]
        if own.centre is None:
            return IllegalMove("may_not_pass", CENTRE_FIRST())
        text = PETAL_FITS(centre=own.centre, numbers=members(addable(state, state.turn)))
        return IllegalMove("may_not_pass", text)

    def to_json(self, state: BlossomsState) -> dict[str, Any]:
        return {
            "pool": state.pool,
            "petals": state.petals,
            "blossoms": [
                {"centre": blossom.centre, "petals": list(blossom.petals)}
                for blossom in state.blossoms
            ],
            "remaining": list(members(state.remaining)),
            "turn": state.turn,
        }

    def from_json(self, data: Mapping[str, Any]) -> BlossomsState:
        one, two = (
            Blossom(blossom["centre"], tuple(blossom["petals"])) for blossom in data["blossoms"]
        )
        return BlossomsState(
            data["pool"], data["petals"], (one, two), bits(data["remaining"]), data["turn"]
        )


BLOSSOMS = Blossoms()
