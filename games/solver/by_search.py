"""Solves any game by searching through its positions."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from games.rules.contract import Game, Move, S, Seat
from games.solver.budget import Budget, OutOfBudget
from games.solver.contract import Solver
from games.solver.search import Search


class SearchSolver(Solver[S]):
    """A subclass can merge equivalent states into one position, and search those instead."""

    def __init__(self, game: Game[S], start: S, budget: Budget) -> None:
        super().__init__(game, start, budget)
        self._search: Search[Any] = Search(self.expand, budget)
        # A cache, because playing a move takes longer than searching it.
        self._played: dict[S, Seat | Sequence[Any]] = {}

    def position(self, state: S) -> Any:
        """Return the part of a state that matters: states with equal positions play out alike."""
        return state

    def expand(self, position: Any, turn: Seat) -> Seat | Sequence[Any]:
        """Return the winner of a finished position, or the positions that can follow."""
        known = self._played.get(position)
        if known is None:
            known = self._played[position] = self._play(position)
        return known

    def winners(self, state: S, after: Mapping[Move, S]) -> dict[Move, Seat]:
        winners: dict[Move, Seat] = {}
        for move, following in after.items():
            with suppress(OutOfBudget):
                winners[move] = self._search.winner(self.position(following), following.turn)
        return winners

    def wins_within(self, moves: int, state: S, seat: Seat) -> bool:
        return self._search.wins_within(moves, self.position(state), state.turn, seat)

    def _play(self, state: S) -> Seat | Sequence[Any]:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome.winner
        moves = self.game.legal_moves(state)
        return [self.position(self.game.play(state, state.turn, move).state) for move in moves]
