"""Which solver solves which family of games, and the short way to ask one."""

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
    """The solver of a family of games; any game that has none of its own is solved by search."""
    return SOLVERS.get(type(game), SearchSolver)


def solver_for(game: Game[S], start: S, nodes: int = NODES) -> Solver[S]:
    """A solver with a memory, for the positions of a match that `start` comes before."""
    return solver_class(game)(game, start, Budget(nodes))


def can_play(game: Game[S], start: S) -> bool:
    """Whether the computer plays from here as well as its level says."""
    return solver_class(game).can_play(start)


def solve(game: Game[S], state: S, nodes: int = NODES) -> Solution:
    """For every legal move: who wins with perfect play, and in how many moves."""
    return solver_for(game, state, nodes).solve(state)
