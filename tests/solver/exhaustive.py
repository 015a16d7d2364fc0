"""Plain exhaustive search through the rules, to compare the solver with.

It shares no code with the solver: no matching, no sets, no depths, no budget.
"""

from games.rules import other
from games.rules.collapse import CollapseState


def alike(state):
    """Return a key that is the same for states that differ only in the order of earlier moves."""
    if hasattr(state, "played"):
        return state.played[-1:], state.remaining
    if hasattr(state, "blossoms"):
        flowers = tuple((flower.centre, frozenset(flower.petals)) for flower in state.blossoms)
        return flowers, state.turn
    return state


class Exhaustive:
    """The winner of every position that can follow a state, and the number of moves to the end."""

    def __init__(self, game, start):
        self.game = game
        self.states = {}
        self._values = {}
        self.value(start)

    def value(self, state):
        key = alike(state)
        if key not in self._values:
            self.states[key] = state
            self._values[key] = self._search(state)
        return self._values[key]

    def verdicts(self, state):
        """Return the winner and the distance of every legal move."""
        verdicts = {}
        for move, following in self.following(state).items():
            winner, distance = self.value(following)
            verdicts[move] = (winner, distance + 1)
        return verdicts

    def following(self, state):
        moves = self.game.legal_moves(state)
        return {move: self.game.play(state, state.turn, move).state for move in moves}

    def winner(self, state):
        outcome = self.game.outcome(state)
        return outcome and outcome.winner

    def _search(self, state):
        winner = self.winner(state)
        if winner is not None:
            return winner, 0
        verdicts = self.verdicts(state).values()
        wins = [distance for winner, distance in verdicts if winner == state.turn]
        if wins:
            return state.turn, min(wins)
        return other(state.turn), max(distance for _, distance in verdicts)


class ExhaustiveCollapse(Exhaustive):
    """Number Collapse on 3×3 without its rules, fast enough for hundreds of grids."""

    def __init__(self, start):
        self.near = [
            [
                other
                for other in range(9)
                if abs(other // 3 - cell // 3) + abs(other % 3 - cell % 3) == 1
            ]
            for cell in range(9)
        ]
        super().__init__(None, start)

    def following(self, state):
        if self.winner(state):
            return {}
        return {cell + 1: self.taken(state, cell) for cell in range(9) if state.cells[cell]}

    def taken(self, state, cell):
        cells, scores = list(state.cells), list(state.scores)
        number, cells[cell] = cells[cell], 0
        scores[state.turn - 1] += number
        for near in self.near[cell]:
            if cells[near] < number:
                cells[near] = 0
        return CollapseState(3, state.target, tuple(cells), tuple(scores), 3 - state.turn)

    def winner(self, state):
        (one, two), largest = state.scores, max(state.cells)
        if two >= state.target:
            return 2 if two > one else 1
        if one >= state.target:
            # After a last reply, or if no reply overtakes, the result is final.
            return None if state.turn == 2 and two + largest > one else 1
        if largest:
            return None
        if one == two:
            return state.turn
        return 1 if one > two else 2


def told(solution):
    """Return a solution in the form that an exhaustive search returns."""
    return {one.move: (one.winner, one.distance) for one in solution.verdicts}


def after(game, start, *moves):
    for move in moves:
        start = game.play(start, start.turn, move).state
    return start


def random_position(game, start, rng, moves):
    """Play up to this many random moves, and return a position in which the match isn't over."""
    state = start
    for _ in range(moves):
        following = game.play(state, state.turn, rng.choice(game.legal_moves(state))).state
        if game.outcome(following) is not None:
            break
        state = following
    return state
