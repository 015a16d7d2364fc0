"""Solves the last-number games: who wins by maximum matching, how soon by search.

The numbers are the nodes of a graph, with an edge between two that fit each other; a match is a
path. A number wins exactly if some maximum matching of the numbers left, this one included, leaves
it without a partner: whatever number the other player goes on to has a partner to answer with, or
the matching could be larger. That holds for a pool of any size, so the budget is spent on
distances alone.
"""

from collections.abc import Mapping, Sequence

from games.rules.contract import Game, Move, Seat, other
from games.rules.last_number import LastNumber, LastNumberState, followers
from games.rules.numbers import members
from games.solver.budget import Budget
from games.solver.by_search import SearchSolver
from games.solver.matching import Fitting

Position = tuple[int, int]
"""The numbers that may be played, and all that remain; which was the last does not matter."""


class LastNumberSolver(SearchSolver[LastNumberState]):
    def __init__(self, game: Game[LastNumberState], start: LastNumberState, budget: Budget) -> None:
        super().__init__(game, start, budget)
        assert isinstance(game, LastNumber)
        self._followers = followers(game.relation, start.pool)

    def pairing(self, state: LastNumberState) -> dict[int, int]:
        """A maximum matching of the numbers that remain: each number's partner."""
        return Fitting(state.remaining, self._followers).partners()

    def position(self, state: LastNumberState) -> Position:
        return state.playable, state.remaining

    def expand(self, position: Position, turn: Seat) -> Seat | Sequence[Position]:
        playable, remaining = position
        if not playable:
            return other(turn)
        positions = []
        while playable:
            bit = playable & -playable
            playable ^= bit
            left = remaining ^ bit
            positions.append((left & self._followers[bit.bit_length() - 1], left))
        # What leaves the fewest replies is proved or disproved soonest.
        return sorted(positions, key=lambda following: following[0].bit_count())

    def winners(
        self, state: LastNumberState, after: Mapping[Move, LastNumberState]
    ) -> dict[Move, Seat]:
        winning = members(Fitting(state.remaining, self._followers).spare(state.playable))
        return {move: state.turn if move in winning else other(state.turn) for move in after}

    def wins_within(self, moves: int, state: LastNumberState, seat: Seat) -> bool:
        # Whoever is not to move now wins after an even number of moves, if at all.
        wrong_parity = moves % 2 == (seat != state.turn)
        return super().wins_within(moves - wrong_parity, state, seat)
