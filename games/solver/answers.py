"""The solver's results: who wins after each move, and how soon, as far as that is proved.

A distance is the number of moves to the end of the match, including passes, if the winner plays as
fast and the loser as slowly as possible. `None` means "not proved within the budget"; nothing here
is a guess.
"""

from dataclasses import dataclass

from games.rules.contract import Move, Seat, other


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a move leads to. The distance includes the move itself."""

    move: Move
    winner: Seat | None
    distance: int | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The verdict on every legal move, and the result for the player to move.

    Short distances are proved first, so an unknown distance is never shorter than a known one.
    """

    turn: Seat
    winner: Seat | None
    distance: int | None
    verdicts: tuple[Verdict, ...]

    @property
    def keeping(self) -> tuple[Move, ...]:
        """The moves that keep the win."""
        return self._moves(self.turn)

    @property
    def losing(self) -> tuple[Move, ...]:
        return self._moves(other(self.turn))

    @property
    def best(self) -> tuple[Move, ...]:
        """The fastest wins; else the moves not known to lose; else the slowest losses."""
        winning = [verdict for verdict in self.verdicts if verdict.winner == self.turn]
        unknown = [verdict for verdict in self.verdicts if verdict.winner is None]
        chosen = winning or unknown or self.verdicts
        if self.distance is not None:
            chosen = [verdict for verdict in chosen if verdict.distance == self.distance]
        elif not winning and not unknown:
            chosen = [verdict for verdict in chosen if verdict.distance is None]
        return tuple(verdict.move for verdict in chosen)

    def _moves(self, winner: Seat) -> tuple[Move, ...]:
        return tuple(verdict.move for verdict in self.verdicts if verdict.winner == winner)


def solution(turn: Seat, verdicts: tuple[Verdict, ...]) -> Solution:
    """Combine the verdicts on all legal moves of an unfinished match."""
    distances = [verdict.distance for verdict in verdicts if verdict.winner == turn]
    if distances:
        known = [distance for distance in distances if distance is not None]
        return Solution(turn, turn, min(known, default=None), verdicts)
    if any(verdict.winner is None for verdict in verdicts):
        return Solution(turn, None, None, verdicts)
    known = [verdict.distance for verdict in verdicts if verdict.distance is not None]
    longest = max(known) if len(known) == len(verdicts) else None
    return Solution(turn, other(turn), longest, verdicts)
