"""Why a winning move wins, in a sentence: what it leaves, and where it leads."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.rules.blossoms import Blossoms, BlossomsState, addable, petals_of
from games.rules.collapse import Collapse, CollapseState
from games.rules.contract import Game, Move, S
from games.rules.last_number import LastNumber, LastNumberState
from games.rules.numbers import members
from games.solver.contract import Solver
from games.solver.last_number import LastNumberSolver

SHOWN = 3
"""So many numbers are named where there are too many for a sentence."""


def reason(solver: Solver[S], state: S, move: Move) -> str:
    """What a winning move does, from the solver's own findings."""
    after = solver.game.play(state, state.turn, move).state
    outcome = solver.game.outcome(after)
    if outcome is not None:
        return f"{spoken(state, move)} ends the match: {within_a_sentence(outcome.text)}"
    tell = REASONS.get(type(solver.game), where_it_leads)
    return tell(solver, state, move, after)


def spoken(state: object, move: Move) -> str:
    """A move as people call it; in Number Collapse, by its number and not by its position."""
    if isinstance(state, CollapseState) and isinstance(move, int):
        return str(state.cells[move - 1])
    return str(move)


def listed(words: Iterable[object], last: str = "and") -> str:
    """1, 2 and 3."""
    *most, final = map(str, words)
    return f"{', '.join(most)} {last} {final}" if most else final


def within_a_sentence(text: str) -> str:
    return text if text.startswith("Player") else text[0].lower() + text[1:]


def where_it_leads(solver: Solver[S], state: S, move: Move, after: S) -> str:
    """The end of a line in which the winner hurries and the loser delays, if all of it is known."""
    while (outcome := solver.game.outcome(after)) is None:
        solution = solver.solve(after)
        if solution.distance is None:
            return f"{spoken(state, move)} wins for Player {state.turn}."
        after = solver.game.play(after, after.turn, solution.best[0]).state
    return (
        f"With best play by both Player {outcome.winner} wins, for example like this: "
        f"{within_a_sentence(outcome.text)}"
    )


def answers(
    solver: LastNumberSolver, state: LastNumberState, move: Move, after: LastNumberState
) -> str:
    """A maximum matching pairs all that may follow a winning number with answers to it."""
    game, partners = solver.game, solver.pairing(after)
    replies = members(after.playable)
    if len(replies) == 1:
        reply = replies[0]
        then = game.play(after, after.turn, reply).state
        for number in members(then.playable):
            if not game.legal_moves(game.play(then, then.turn, number).state):
                return (
                    f"{move} leaves only {reply}, and {reply} leaves {number}, "
                    "after which nothing fits."
                )
        return f"{move} leaves only {reply}, and {partners[reply]} answers it."
    pairs = [f"{reply} with {partners[reply]}" for reply in replies]
    if len(replies) > SHOWN:
        told = ", ".join(pairs[:SHOWN])
        return f"All that fits {move} has a partner to answer it with: {told}, and so on."
    return f"{move} leaves {listed(replies)}: answer {listed(pairs)}."


def petals(
    solver: Solver[BlossomsState], state: BlossomsState, move: Move, after: BlossomsState
) -> str:
    """A centre is worth what fits it; a petal that fits both centres is taken away as well."""
    assert isinstance(move, int)
    end = where_it_leads(solver, state, move, after)
    if state.blossoms[state.turn - 1].centre is None:
        fitting = after.remaining & petals_of(move, state.pool)
        return f"Centre {move} fits {numbers(fitting)}. {end}"
    both = " fits both centres and" if addable(state, after.turn) >> move & 1 else ""
    left = numbers(addable(after, after.turn))
    return f"{move}{both} leaves Player {after.turn} {left}. {end}"


def numbers(left: int) -> str:
    return listed(members(left)) if left else "nothing"


def crushed(
    solver: Solver[CollapseState], state: CollapseState, move: Move, after: CollapseState
) -> str:
    """A selection is worth what it takes away from the other player."""
    number = spoken(state, move)
    fallen = sorted(set(state.cells) - set(after.cells) - {int(number)})
    takes = f"takes {listed(fallen)} off the grid and " if fallen else ""
    end = where_it_leads(solver, state, move, after)
    return f"{number} {takes}leaves Player {after.turn} {max(after.cells)} at most. {end}"


REASONS: Mapping[type[Game[Any]], Callable[[Any, Any, Move, Any], str]] = {
    LastNumber: answers,
    Blossoms: petals,
    Collapse: crushed,
}
