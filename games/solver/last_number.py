"""Solves the last-number games: a maximum matching finds who wins, a search finds how soon.

The numbers are the nodes of a graph, with an edge between any two that fit each other. A match is a
path in this graph. Playing a number wins exactly if some maximum matching of the numbers left,
including this one, leaves it without a partner: then every possible reply has a partner to answer
with, because otherwise the matching could be larger. This works for a pool of any size, so the
budget is spent only on distances.
"""

from collections.abc import Mapping, Sequence

from games.rules.contract import Game, Move, Seat, other
from games.rules.last_number import LastNumber, LastNumberState, followers
from games.rules.numbers import members
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.budget import Budget
from games.solver.by_search import SearchSolver
from games.solver.lists import SHOWN, listed
from games.solver.matching import Fitting

FORCED = Template(_("{move} leaves only {reply}, {reply} leaves {answer}, and then nothing fits."))
ONE_REPLY = Template(_("{move} leaves only {reply}, and {answer} answers it."))
FEW_REPLIES = Template(_("{move} leaves {replies}: answer {pairs}."))
MANY_REPLIES = Template(
    _("Every number that fits {move} has a partner to answer it with: {pairs}, and so on.")
)
PAIR = Template(_("{reply} with {answer}"))

Position = tuple[int, int]
"""The playable numbers and all remaining ones. Which number was last doesn't matter."""


class LastNumberSolver(SearchSolver[LastNumberState]):
    def __init__(self, game: Game[LastNumberState], start: LastNumberState, budget: Budget) -> None:
        super().__init__(game, start, budget)
        assert isinstance(game, LastNumber)
        self._followers = followers(game.relation, start.pool)

    def pairing(self, state: LastNumberState) -> dict[int, int]:
        """Return each number's partner in a maximum matching of the remaining numbers."""
        return Fitting(state.remaining, self._followers).partners()

    def reason(self, state: LastNumberState, move: Move, after: LastNumberState) -> Sentence:
        """Say how to answer every reply: with its partner in a maximum matching."""
        game, partners = self.game, self.pairing(after)
        replies = members(after.playable)
        if len(replies) == 1:
            reply = replies[0]
            then = game.play(after, after.turn, reply).state
            for number in members(then.playable):
                if not game.legal_moves(game.play(then, then.turn, number).state):
                    return FORCED(move=move, reply=reply, answer=number)
            return ONE_REPLY(move=move, reply=reply, answer=partners[reply])
        pairs = [PAIR(reply=reply, answer=partners[reply]) for reply in replies]
        if len(replies) > SHOWN:
            return MANY_REPLIES(move=move, pairs=pairs[:SHOWN])
        return FEW_REPLIES(move=move, replies=listed(replies), pairs=listed(pairs))

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
        # Positions with the fewest replies are the quickest to prove or disprove.
        return sorted(positions, key=lambda following: following[0].bit_count())

    def winners(
        self, state: LastNumberState, after: Mapping[Move, LastNumberState]
    ) -> dict[Move, Seat]:
        winning = members(Fitting(state.remaining, self._followers).spare(state.playable))
        return {move: state.turn if move in winning else other(state.turn) for move in after}

    def wins_within(self, moves: int, state: LastNumberState, seat: Seat) -> bool:
        # The player to move can only win in an odd number of moves, the other in an even one.
        wrong_parity = moves % 2 == (seat != state.turn)
        return super().wins_within(moves - wrong_parity, state, seat)
