"""Chooses the solver for a game, with shortcuts for using it."""

from collections.abc import Mapping
from typing import Any

from games.rules.blossoms import Blossoms
from games.rules.collapse import Collapse
from games.rules.contract import Game, S
from games.rules.last_number import LastNumber
from games.solver.answers import Solution
from games.solver.blossoms import BlossomsSolver
from games.solver.budget import NODES, Budget
from games.solver.by_search import SearchSolver
from games.solver.collapse import CollapseSolver
from games.solver.contract import Solver
from games.solver.last_number import LastNumberSolver

SOLVERS: Mapping[type[Game[Any]], type[Solver[Any]]] = {
    LastNumber: LastNumberSolver,
    Blossoms: BlossomsSolver,
    Collapse: CollapseSolver,
}


def solver_class(game: Game[S]) -> type[Solver[S]]:
    """Return the solver for a game's family. The default is a plain search."""
    return SOLVERS.get(type(game), SearchSolver)


def solver_for(game: Game[S], start: S, nodes: int = NODES) -> Solver[S]:
    """Return a solver with a cache, for `start` and the positions that follow from it."""
    return solver_class(game)(game, start, Budget(nodes))


def can_play(game: Game[S], start: S) -> bool:
    """Return whether the computer can play from here as well as its level promises."""
    return solver_class(game).can_play(start)


def solve(game: Game[S], state: S, nodes: int = NODES) -> Solution:
    """Return, for every legal move, who wins with perfect play and in how many moves."""
    return solver_for(game, state, nodes).solve(state)
