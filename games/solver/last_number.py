"""Solves the last-number games: who wins by maximum matching, how soon by search.

The numbers are the nodes of a graph, with an edge between two that fit each other; a match is a
path. A number wins exactly if some maximum matching of the numbers left, this one included, leaves
it without a partner: every number the other player can go on to then has a partner to answer with,
or the matching could be larger. That holds for a pool of any size, so the budget is spent only on
distances.
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
"""The numbers that may be played, and all that remain; which was the last does not matter."""


class LastNumberSolver(SearchSolver[LastNumberState]):
    def __init__(self, game: Game[LastNumberState], start: LastNumberState, budget: Budget) -> None:
        super().__init__(game, start, budget)
        assert isinstance(game, LastNumber)
        self._followers = followers(game.relation, start.pool)

    def pairing(self, state: LastNumberState) -> dict[int, int]:
        """A maximum matching of the numbers that remain: each number's partner."""
        return Fitting(state.remaining, self._followers).partners()

    def reason(self, state: LastNumberState, move: Move, after: LastNumberState) -> Sentence:
        """A maximum matching pairs every reply to a winning number with the answer to it."""
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
