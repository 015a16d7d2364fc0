"""Solves Number Collapse for all totals at once.

What is left of a grid depends only on which numbers were selected, not on their order: each takes
its smaller neighbours with it. So a 4×4 grid has only about 1,500 different remainders. For each
remainder, seat to move, seat to win and number of moves, the solver computes the set of all pairs
of totals with which that seat wins within that many moves. A set is one int with a bit for every
pair. So scoring is a shift, and a choice between moves is a union if the player to move is the one
who should win, or an intersection if it is the other.
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
"""More moves than any match can have."""

LARGEST_GRID = 16
"""The most cells for which the budget is enough to solve a match from the start."""

TAKES = Template(
    _("{move} takes {numbers} off the grid and leaves {player} at most {most}."),
    you=_("{move} takes {numbers} off the grid and leaves you at most {most}."),
)
LEAVES = Template(
    _("{move} leaves {player} at most {most}."), you=_("{move} leaves you at most {most}.")
)


class Totals:
    """Sets of pairs of totals: a row for each total of Player 1, with bit n for Player 2's total n.

    Rows and columns extend beyond the target by the highest number, as far as one selection can go.
    """

    def __init__(self, target: int, highest: int) -> None:
        self.target = target
        self.width = target + highest
        # In nodes: larger sets take longer.
        self.cost = 1 + target * self.width // 2_000
        running = range(target)
        self.running = self._below(running, lambda one: target)
        self.one_ahead = self._below(running, lambda one: one)
        self.one_not_behind = self._below(running, lambda one: one + 1)
        # Player 2 wins by reaching the target while Player 1 has not.
        self.two_reached = self._below(running, lambda one: self.width) & ~self.running
        self.not_overtaken = [self._not_overtaken(largest) for largest in range(highest + 1)]
        one_reached = self._not_overtaken(0)
        self.overtaken = [one_reached & ~kept for kept in self.not_overtaken]

    def _not_overtaken(self, largest: int) -> int:
        """The pairs where Player 1 has reached the target and no reply can overtake.

        `largest` is the largest number left for that reply.
        """
        reached = range(self.target, self.width)
        return self._below(reached, lambda one: min(self.target, one - largest + 1))

    def _below(self, ones: range, limit: Callable[[int], int]) -> int:
        """The pairs where Player 2's total is below a limit that depends on Player 1's total."""
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
        # By number of moves, seat to move and seat to win; then by the cells left.
        self._wins: defaultdict[tuple[int, Seat, Seat], dict[int, int]] = defaultdict(dict)
        self._following: dict[int, list[tuple[int, int]]] = {}
        # Most sets are equal to others, so keep each one only once.
        self._sets: dict[int, int] = {}

    @classmethod
    def can_play(cls, start: CollapseState) -> bool:
        return len(start.cells) <= LARGEST_GRID

    def reason(self, state: CollapseState, move: Move, after: CollapseState) -> Sentence:
        """Say what a selection takes away from the other player."""
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
        """The totals with which a seat wins within this many moves, with these cells left."""
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
        """The part of the set where nobody has reached the target yet."""
        totals = self._totals
        if not left:
            # On equal totals, the player who got there first wins: the one to move now.
            one = totals.one_not_behind if turn == 1 else totals.one_ahead
            return one if seat == 1 else totals.running & ~one
        if not moves:
            return 0
        fewer = moves if moves == UNLIMITED else moves - 1
        known = self._wins[fewer, other(turn), seat]
        step = totals.width if turn == 1 else 1
        result = 0 if turn == seat else totals.running
        for number, rest in self._selections(left):
            # Most are cached, and a function call would take longer than the set operation.
            following = known.get(rest)
            if following is None:
                following = self._winning(fewer, rest, other(turn), seat)
            if turn == seat:
                result |= following >> number * step
            else:
                result &= following >> number * step
        return totals.running & result

    def _selections(self, left: int) -> list[tuple[int, int]]:
        """The possible selections, largest first: each number with the cells left after it."""
        known = self._following.get(left)
        if known is None:
            known = self._following[left] = [
                (number, left & ~cleared) for number, cell, cleared in self._cells if left & cell
            ]
        return known

    def _at_the_target(self, moves: int, left: int, turn: Seat, seat: Seat) -> int:
        """The part of the set where the player who has just moved has reached the target."""
        if turn == 1:
            return self._totals.two_reached if seat == 2 else 0
        largest = self._selections(left)[0][0] if left else 0
        if seat == 1:
            return self._totals.not_overtaken[largest]
        return self._totals.overtaken[largest] if moves else 0


def cleared(state: CollapseState, cell: int) -> int:
    """Return the cells that selecting this one empties: itself and its smaller neighbours."""
    near = neighbours(state.size)[cell]
    return 1 << cell | sum(1 << one for one in near if state.cells[one] < state.cells[cell])
