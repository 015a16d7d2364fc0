"""How much a solver may look at before it has to say that it does not know."""

NODES = 150_000
"""What one position may cost by default: a fraction of a second on one core."""


class OutOfBudget(Exception):
    """The budget is spent; whatever was proved until then stays true."""


class Budget:
    """So many nodes: each a position, or a set of positions, that has to be worked out."""

    def __init__(self, nodes: int = NODES) -> None:
        self.left = nodes

    def spend(self, nodes: int = 1) -> None:
        if self.left < nodes:
            raise OutOfBudget
        self.left -= nodes
