"""A search with a cache: who wins a position, and within how many moves."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from games.rules.contract import Seat, other
from games.solver.budget import Budget

P = TypeVar("P", bound=Hashable)

NEVER = 1_000_000
"""More moves than any match can have."""


class Search(Generic[P]):
    """Searches positions of any kind and caches the result for each.

    `expand(position, turn)` returns the winner if the match is over, otherwise the positions that
    can follow. Equal positions must have the same seat to move.
    """

    def __init__(self, expand: Callable[[P, Seat], Seat | Sequence[P]], budget: Budget) -> None:
        self._expand = expand
        self._budget = budget
        self._winners: dict[P, Seat] = {}
        # By seat and position: how many moves are too few to win, and how many are enough.
        self._bounds: dict[Seat, dict[P, tuple[int, int]]] = {1: {}, 2: {}}

    def winner(self, position: P, turn: Seat) -> Seat:
        known = self._winners.get(position)
        if known is not None:
            return known
        follows = self._follows(position, turn)
        if isinstance(follows, int):
            winner = follows
        elif any(self.winner(following, other(turn)) == turn for following in follows):
            winner = turn
        else:
            winner = other(turn)
        self._winners[position] = winner
        return winner

    def wins_within(self, moves: int, position: P, turn: Seat, seat: Seat) -> bool:
        """Return whether this seat can win within this many moves, whatever the other does."""
        too_few, enough = self._bounds[seat].get(position, (-1, NEVER))
        if moves <= too_few:
            return False
        if moves >= enough:
            return True
        follows = self._follows(position, turn)
        if isinstance(follows, int):
            wins = follows == seat
            bounds = (-1, 0) if wins else (NEVER, NEVER)
        else:
            quantify = any if turn == seat else all
            wins = moves > 0 and quantify(
                self.wins_within(moves - 1, following, other(turn), seat) for following in follows
            )
            bounds = (too_few, moves) if wins else (moves, enough)
        self._bounds[seat][position] = bounds
        return wins

    def _follows(self, position: P, turn: Seat) -> Seat | Sequence[P]:
        follows = self._expand(position, turn)
        self._budget.spend(1 if isinstance(follows, int) else len(follows))
        return follows
