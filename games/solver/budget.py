"""Limits how many nodes a solver may visit before it gives up."""

NODES = 150_000
"""The default for one position: a fraction of a second on one core."""


class OutOfBudget(Exception):
    """The budget is spent. Anything proved before is still true."""


class Budget:
    """A number of nodes to spend. A node is a position, or a set of positions, to work out."""

    def __init__(self, nodes: int = NODES) -> None:
        self.left = nodes

    def spend(self, nodes: int = 1) -> None:
        if self.left < nodes:
            raise OutOfBudget
        self.left -= nodes
