"""Reviews a match: who held the win after each move, where it changed hands, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from games.rules.contract import Game, Move, S, Seat, other
from games.sentences import TOGETHER, Sentence, Template
from games.sentences import gettext_noop as _
from games.solver.budget import NODES
from games.solver.contract import Solver
from games.solver.lists import some
from games.solver.reasons import reason
from games.solver.solving import solver_for

NOTHING_TO_SAY = Template("")
KEPT_THE_WIN = Template(_("{moves} kept the win."))
TURNING_POINT = Template(
    _("The turning point was move {number}: {player} gave the win away."),
    you=_("The turning point was move {number}: you gave the win away."),
)
NOT_SOLVED = Template(_("The match was too large to solve from the beginning."))
HELD_THROUGHOUT = Template(
    _("{player} held the win from beginning to end."),
    you=_("You held the win from beginning to end."),
)

Kind: TypeAlias = Literal["kept", "gave_away", "already_lost", "unsolved"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What a move was worth.

    `number` counts from 1. `keeping` are all moves that keep the win, `best` the best moves as in
    `Solution`. A choice `mattered` if some moves won and others lost. `sentence` says what the
    right move does, and is empty if the choice didn't matter.
    """

    number: int
    seat: Seat
    move: Move
    kind: Kind
    mattered: bool
    keeping: tuple[Move, ...]
    best: tuple[Move, ...]
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many of a player's choices that mattered kept the win."""

    kept: int
    mattered: int


@dataclass(frozen=True, slots=True)
class Review:
    """Who held the win before the first move and after each, and what every move was worth.

    A holder is None if the budget was too small to prove one. The turning point is the number of
    the last move that gave the win away. The accuracy is Player 1's and Player 2's.
    """

    holders: tuple[Seat | None, ...]
    marks: tuple[Mark, ...]
    turning_point: int | None
    accuracy: tuple[Accuracy, Accuracy]
    summary: Sentence


def review(
    game: Game[S], start: S, moves: Sequence[tuple[Seat, Move]], nodes: int = NODES
) -> Review:
    """Review a match, finished or not, with one budget for all of its positions."""
    states = [start]
    for seat, move in moves:
        states.append(game.play(states[-1], seat, move).state)
    solver = solver_for(game, start, nodes)
    holders = [solver.solve(state).winner for state in reversed(states)][::-1]
    marks = tuple(
        marked(solver, number, states[number - 1], move, holders[number])
        for number, (_, move) in enumerate(moves, 1)
    )
    lost = [mark.number for mark in marks if mark.kind == "gave_away"]
    return Review(
        tuple(holders),
        marks,
        lost[-1] if lost else None,
        (accuracy(marks, 1), accuracy(marks, 2)),
        summary(marks, holders),
    )


def marked(solver: Solver[S], number: int, state: S, move: Move, holder: Seat | None) -> Mark:
    """Mark a move; `holder` is the seat that holds the win after it."""
    seat, solution = state.turn, solver.solve(state)
    kind = kind_of(seat, solution.winner, holder)
    mattered = bool(solution.keeping and solution.losing)
    sentence = NOTHING_TO_SAY()
    if kind == "gave_away":
        kept = some([solver.game.spoken(state, one) for one in solution.keeping])
        sentence = TOGETHER(
            first=KEPT_THE_WIN(moves=kept), second=reason(solver, state, solution.best[0])
        )
    elif kind == "kept" and mattered:
        sentence = reason(solver, state, move)
    return Mark(number, seat, move, kind, mattered, solution.keeping, solution.best, sentence)


def kind_of(seat: Seat, before: Seat | None, after: Seat | None) -> Kind:
    if before == other(seat):
        return "already_lost"
    if before is None or after is None:
        return "unsolved"
    return "kept" if after == seat else "gave_away"


def accuracy(marks: Iterable[Mark], seat: Seat) -> Accuracy:
    kinds = [mark.kind for mark in marks if mark.seat == seat and mark.mattered]
    kept = kinds.count("kept")
    return Accuracy(kept, kept + kinds.count("gave_away"))


def summary(marks: Sequence[Mark], holders: Sequence[Seat | None]) -> Sentence:
    lost = [mark for mark in marks if mark.kind == "gave_away"]
    if lost:
        return TURNING_POINT(number=lost[-1].number, player=lost[-1].seat)
    if holders[0] is None or None in holders:
        return NOT_SOLVED()
    return HELD_THROUGHOUT(player=holders[0])
