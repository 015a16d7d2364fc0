"""Solves any game that keeps the contract, by search through its positions."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from games.rules.contract import Game, Move, S, Seat
from games.solver.budget import Budget, OutOfBudget
from games.solver.contract import Solver
from games.solver.search import Search


class SearchSolver(Solver[S]):
    """A game of its own kind may say which of its states are alike, and search those instead."""

    def __init__(self, game: Game[S], start: S, budget: Budget) -> None:
        super().__init__(game, start, budget)
        self._search: Search[Any] = Search(self.expand, budget)
        # The rules take longer for a move than the search does.
        self._played: dict[S, Seat | Sequence[Any]] = {}

    def position(self, state: S) -> Any:
        """What matters of a state: states with equal positions are played on in the same way."""
        return state

    def expand(self, position: Any, turn: Seat) -> Seat | Sequence[Any]:
        """Who won a position that is over, or the positions that follow."""
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
