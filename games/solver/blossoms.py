"""Solves Number Blossoms by search. Once both centres are chosen, only counts of petals matter."""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.blossoms import BlossomsState, addable, petals_of
from games.rules.contract import Move, Seat
from games.rules.numbers import members
from games.sentences import TOGETHER, Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.by_search import SearchSolver
from games.solver.lists import listed

CENTRE_FITS = Template(_("Centre {move} fits {numbers}."))
FITS_BOTH = Template(
    _("{move} fits both centres and leaves {player} {numbers}."),
    you=_("{move} fits both centres and leaves you {numbers}."),
)
LEAVES = Template(_("{move} leaves {player} {numbers}."), you=_("{move} leaves you {numbers}."))


class Counts(NamedTuple):
    """How many numbers fit which centre, and how many petals each blossom still needs."""

    only_one: int
    only_two: int
    both: int
    missing_one: int
    missing_two: int
    turn: Seat


class BlossomsSolver(SearchSolver[BlossomsState]):
    def reason(self, state: BlossomsState, move: Move, after: BlossomsState) -> Sentence:
        """Say which numbers fit a new centre, or which ones a petal leaves for the other player."""
        assert isinstance(move, int)
        if state.blossoms[state.turn - 1].centre is None:
            fitting = after.remaining & petals_of(move, state.pool)
            does = CENTRE_FITS(move=move, numbers=listed(members(fitting)))
        else:
            fits_both = addable(state, after.turn) >> move & 1
            left = listed(members(addable(after, after.turn)))
            does = (FITS_BOTH if fits_both else LEAVES)(move=move, player=after.turn, numbers=left)
        return TOGETHER(first=does, second=self.where_it_leads(state, move, after))

    def position(self, state: BlossomsState) -> BlossomsState | Counts:
        if state.blossoms[1].centre is None:
            return state
        one, two = addable(state, 1), addable(state, 2)
        return Counts(
            (one & ~two).bit_count(),
            (two & ~one).bit_count(),
            (one & two).bit_count(),
            state.petals - len(state.blossoms[0].petals),
            state.petals - len(state.blossoms[1].petals),
            state.turn,
        )

    def expand(
        self, position: BlossomsState | Counts, turn: Seat
    ) -> Seat | Sequence[BlossomsState | Counts]:
        if isinstance(position, BlossomsState):
            return super().expand(position, turn)
        one, two, both, missing_one, missing_two, _ = position
        if not missing_two:
            return 2
        if not missing_one:
            return 1
        if not one + two + both:
            return 2 if missing_two < missing_one else 1
        if turn == 1:
            own = [Counts(one - 1, two, both, missing_one - 1, missing_two, 2)] if one else []
            shared = [Counts(one, two, both - 1, missing_one - 1, missing_two, 2)] if both else []
        else:
            own = [Counts(one, two - 1, both, missing_one, missing_two - 1, 1)] if two else []
            shared = [Counts(one, two, both - 1, missing_one, missing_two - 1, 1)] if both else []
        return shared + own or [position._replace(turn=3 - turn)]
