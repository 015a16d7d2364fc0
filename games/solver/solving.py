"""Which solver is whose, and the short way to ask one."""

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


def solver_for(game: Game[S], start: S, nodes: int = NODES) -> Solver[S]:
    """A solver with a memory, for the positions of a match that `start` comes before."""
    return SOLVERS.get(type(game), SearchSolver)(game, start, Budget(nodes))


def solve(game: Game[S], state: S, nodes: int = NODES) -> Solution:
    """For every legal move: who wins with perfect play, and in how many moves."""
    return solver_for(game, state, nodes).solve(state)
