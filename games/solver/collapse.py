"""Solves Number Collapse for all totals at once.

What is left of a grid follows from the numbers that were selected, in whatever order: each takes
its smaller neighbours with it. So a grid of 4×4 leaves but some 1,500 different remains. For each
of them, for the seat to move, a seat to win and a number of moves, the solver computes the set of
all pairs of totals with which that seat wins within those moves. A set is one int with a bit for
every pair, so that a move by which Player 1 or Player 2 scores is a shift, and the choice between
moves is a union for the player who wants them and an intersection for the one who does not.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress

from games.rules.collapse import CollapseState, neighbours
from games.rules.contract import Game, Move, Seat, other
from games.sentences import TOGETHER, Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.budget import Budget, OutOfBudget
from games.solver.contract import Solver
from games.solver.lists import listed

UNLIMITED = 1_000
"""More moves than any grid allows."""

LARGEST_GRID = 16
"""A larger grid is not solved within the budget from the beginning."""

TAKES = Template(
    _("{move} takes {numbers} off the grid and leaves {player} at most {most}."),
    you=_("{move} takes {numbers} off the grid and leaves you at most {most}."),
)
LEAVES = Template(
    _("{move} leaves {player} at most {most}."), you=_("{move} leaves you at most {most}.")
)


class Totals:
    """Sets of pairs of totals: row by row Player 1's, and in each row bit n is Player 2's n.

    Rows and columns go on beyond the target as far as one selection can lead.
    """

    def __init__(self, target: int, highest: int) -> None:
        self.target = target
        self.width = target + highest
        # In nodes: the larger the sets, the longer everything takes.
        self.cost = 1 + target * self.width // 2_000
        running = range(target)
        self.running = self._below(running, lambda one: target)
        self.one_ahead = self._below(running, lambda one: one)
        self.one_not_behind = self._below(running, lambda one: one + 1)
        # Player 2 at the target wins at once, as long as Player 1 is not there.
        self.two_reached = self._below(running, lambda one: self.width) & ~self.running
        self.not_overtaken = [self._not_overtaken(largest) for largest in range(highest + 1)]
        one_reached = self._not_overtaken(0)
        self.overtaken = [one_reached & ~kept for kept in self.not_overtaken]

    def _not_overtaken(self, largest: int) -> int:
        """Player 1 is at the target, and a reply with the largest number left does not beat it."""
        reached = range(self.target, self.width)
        return self._below(reached, lambda one: min(self.target, one - largest + 1))

    def _below(self, ones: range, limit: Callable[[int], int]) -> int:
        """The pairs in which Player 2 has less than a limit that depends on Player 1's total."""
        return sum(((1 << max(0, limit(one))) - 1) << one * self.width for one in ones)


class CollapseSolver(Solver[CollapseState]):
    def __init__(self, game: Game[CollapseState], start: CollapseState, budget: Budget) -> None:
        super().__init__(game, start, budget)
        self._totals = Totals(start.target, max(start.cells))
        self._cells = sorted(
            (
                (number, 1 << cell, cleared(start, cell))
                for cell, number in enumerate(start.cells)
                if number
            ),
            reverse=True,
        )
        # By moves, the seat to move and the seat to win; then by what is left.
        self._wins: defaultdict[tuple[int, Seat, Seat], dict[int, int]] = defaultdict(dict)
        self._following: dict[int, list[tuple[int, int]]] = {}
        # Most of the sets are equal to others; each is kept once.
        self._sets: dict[int, int] = {}

    @classmethod
    def can_play(cls, start: CollapseState) -> bool:
        return len(start.cells) <= LARGEST_GRID

    def reason(self, state: CollapseState, move: Move, after: CollapseState) -> Sentence:
        """A selection is worth what it takes away from the other player."""
        number, most = self.game.spoken(state, move), max(after.cells)
        fallen = sorted(set(state.cells) - set(after.cells) - {number})
        if fallen:
            does = TAKES(move=number, numbers=listed(fallen), player=after.turn, most=most)
        else:
            does = LEAVES(move=number, player=after.turn, most=most)
        return TOGETHER(first=does, second=self.where_it_leads(state, move, after))

    def winners(
        self, state: CollapseState, after: Mapping[Move, CollapseState]
    ) -> dict[Move, Seat]:
        winners: dict[Move, Seat] = {}
        for move, following in after.items():
            with suppress(OutOfBudget):
                winners[move] = 1 if self.wins_within(UNLIMITED, following, 1) else 2
        return winners

    def wins_within(self, moves: int, state: CollapseState, seat: Seat) -> bool:
        left = sum(1 << cell for cell, number in enumerate(state.cells) if number)
        one, two = state.scores
        return bool(
            self._winning(moves, left, state.turn, seat) >> one * self._totals.width + two & 1
        )

    def _winning(self, moves: int, left: int, turn: Seat, seat: Seat) -> int:
        """The totals with which a seat wins what is left of the grid within so many moves."""
        known = self._wins[moves, turn, seat].get(left)
        if known is None:
            if left.bit_count() <= moves < UNLIMITED:
                known = self._winning(UNLIMITED, left, turn, seat)
            else:
                self.budget.spend(self._totals.cost)
                found = self._played_on(moves, left, turn, seat)
                found |= self._at_the_target(moves, left, turn, seat)
                known = self._sets.setdefault(found, found)
            self._wins[moves, turn, seat][left] = known
        return known

    def _played_on(self, moves: int, left: int, turn: Seat, seat: Seat) -> int:
        """The part of the set in which nobody has reached the target yet."""
        totals = self._totals
        if not left:
            # Equal totals go to the player who had it first: the one to move now.
            one = totals.one_not_behind if turn == 1 else totals.one_ahead
            return one if seat == 1 else totals.running & ~one
        if not moves:
            return 0
        fewer = moves if moves == UNLIMITED else moves - 1
        known = self._wins[fewer, other(turn), seat]
        step = totals.width if turn == 1 else 1
        result = 0 if turn == seat else totals.running
        for number, rest in self._selections(left):
            # Most are known, and a call would cost more than the set.
            following = known.get(rest)
            if following is None:
                following = self._winning(fewer, rest, other(turn), seat)
            if turn == seat:
                result |= following >> number * step
            else:
                result &= following >> number * step
        return totals.running & result

    def _selections(self, left: int) -> list[tuple[int, int]]:
        """What can be selected: the number, and what is left after it; the largest first."""
        known = self._following.get(left)
        if known is None:
            known = self._following[left] = [
                (number, left & ~cleared) for number, cell, cleared in self._cells if left & cell
            ]
        return known

    def _at_the_target(self, moves: int, left: int, turn: Seat, seat: Seat) -> int:
        """The part of the set in which the player who has just moved has reached the target."""
        if turn == 1:
            return self._totals.two_reached if seat == 2 else 0
        largest = self._selections(left)[0][0] if left else 0
        if seat == 1:
            return self._totals.not_overtaken[largest]
        return self._totals.overtaken[largest] if moves else 0


def cleared(state: CollapseState, cell: int) -> int:
    """The cells that are empty after this one was selected: it and its smaller neighbours."""
    near = neighbours(state.size)[cell]
    return 1 << cell | sum(1 << one for one in near if state.cells[one] < state.cells[cell])
