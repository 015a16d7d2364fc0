"""Solves every game exactly, without Django: verdicts, computer opponents, hints and reviews."""

from games.solver.answers import Solution, Verdict
from games.solver.budget import NODES
from games.solver.contract import Solver
from games.solver.hint import Hint, hint
from games.solver.levels import LEVELS, Level, choose
from games.solver.review import Accuracy, Mark, Review, review
from games.solver.solving import can_play, solve, solver_for

__all__ = [
    "LEVELS",
    "NODES",
    "Accuracy",
    "Hint",
    "Level",
    "Mark",
    "Review",
    "Solution",
    "Solver",
    "Verdict",
    "can_play",
    "choose",
    "hint",
    "review",
    "solve",
    "solver_for",
]
