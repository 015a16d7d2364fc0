"""The interface of every game's solver, and how its answers become a solution."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import Generic

from games.rules.contract import Game, Move, S, Seat
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.answers import Solution, Verdict, solution
from games.solver.budget import Budget, OutOfBudget

WINS = Template(_("{move} wins for {player}."), you=_("{move} wins for you."))
LEADS_TO = Template(
    _("With best play, {player} wins. It could end like this: {reason}"),
    you=_("With best play, you win. It could end like this: {reason}"),
)


class Solver(ABC, Generic[S]):
    """Solves the positions of one match and caches its results.

    The cache grows with the nodes spent and the positions solved, and is freed with the solver. To
    solve several positions, begin with the last: it is the cheapest, and its results help with the
    earlier ones.
    """

    def __init__(self, game: Game[S], start: S, budget: Budget) -> None:
        """Every position to solve must be `start` or follow from it."""
        self.game = game
        self.budget = budget
        self._solutions: dict[S, Solution] = {}

    @abstractmethod
    def winners(self, state: S, after: Mapping[Move, S]) -> dict[Move, Seat]:
        """Return who wins after each of these moves, as far as the budget allows.

        None of the moves ends the match.
        """

    @abstractmethod
    def wins_within(self, moves: int, state: S, seat: Seat) -> bool:
        """Return whether this seat can win within this many moves, or raise OutOfBudget."""

    @classmethod
    def can_play(cls, start: S) -> bool:
        """Return whether every position that can follow is solvable within the budget."""
        return True

    def reason(self, state: S, move: Move, after: S) -> Sentence:
        """Say why a move wins that doesn't end the match. Solvers of some games say more."""
        return self.where_it_leads(state, move, after)

    def where_it_leads(self, state: S, move: Move, after: S) -> Sentence:
        """Say how the match can end, or only who wins if the distances aren't known.

        The winner plays as fast and the loser as slowly as possible.
        """
        while (outcome := self.game.outcome(after)) is None:
            solution = self.solve(after)
            if solution.distance is None:
                return WINS(move=self.game.spoken(state, move), player=state.turn)
            after = self.game.play(after, after.turn, solution.best[0]).state
        return LEADS_TO(player=outcome.winner, reason=outcome.text)

    def solve(self, state: S) -> Solution:
        known = self._solutions.get(state)
        if known is None:
            known = self._solutions[state] = self._solve(state)
        return known

    def _solve(self, state: S) -> Solution:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Solution(state.turn, outcome.winner, 0, ())
        after = {
            move: self.game.play(state, state.turn, move).state
            for move in self.game.legal_moves(state)
        }
        outcomes = {move: self.game.outcome(following) for move, following in after.items()}
        winners = {move: outcome.winner for move, outcome in outcomes.items() if outcome}
        distances = dict.fromkeys(winners, 1)
        running = {move: after[move] for move in after if move not in winners}
        proved = self.winners(state, running) | self._remembered(running)
        winners |= proved
        distances |= self._distances(running, proved)
        verdicts = (Verdict(move, winners.get(move), distances.get(move)) for move in after)
        return solution(state.turn, tuple(verdicts))

    def _remembered(self, after: Mapping[Move, S]) -> dict[Move, Seat]:
        """Return the winners of positions that were solved before."""
        known = {move: self._solutions.get(following) for move, following in after.items()}
        return {move: one.winner for move, one in known.items() if one and one.winner}

    def _distances(self, after: Mapping[Move, S], winners: Mapping[Move, Seat]) -> dict[Move, int]:
        """Search depth by depth for all moves, so that a small budget finds the shortest."""
        distances: dict[Move, int] = {}
        depth = 0
        with suppress(OutOfBudget):
            while len(distances) < len(winners):
                depth += 1
                for move, winner in winners.items():
                    if move not in distances and self.wins_within(depth, after[move], winner):
                        distances[move] = depth + 1
        return distances
