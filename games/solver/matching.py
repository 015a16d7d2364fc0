"""Finds maximum matchings: as many pairs as possible of numbers that fit each other."""

from collections.abc import Sequence

import rustworkx as rx

from games.rules.numbers import bits, members


class Fitting:
    """A graph of numbers, with an edge between any two that fit each other.

    `followers[n]` is the set of the numbers that fit n.
    """

    def __init__(self, numbers: int, followers: Sequence[int]) -> None:
        self._numbers = numbers
        # Each number is the index of its node. Numbers outside the set have no edges.
        self._graph: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
        self._graph.add_nodes_from(range(len(followers)))
        self._graph.add_edges_from(
            # Each edge once: from the smaller number to the larger.
            [
                (number, fitting, None)
                for number in members(numbers)
                for fitting in members(numbers & followers[number] & -(1 << number))
            ]
        )
        self._pairs = pairs(self._graph)

    def partners(self) -> dict[int, int]:
        """Return a maximum matching: for every number in a pair, its partner."""
        return {a: b for pair in self._pairs for a, b in (pair, pair[::-1])}

    def spare(self, candidates: int) -> int:
        """Return the candidates that some maximum matching leaves without a partner."""
        alone = self._numbers & ~bits(number for pair in self._pairs for number in pair)
        if not alone:
            return 0
        return candidates & (alone | bits(filter(self._can_be_alone, members(candidates & ~alone))))

    def _can_be_alone(self, number: int) -> bool:
        without = self._graph.copy()
        without.remove_node(number)
        return len(pairs(without)) == len(self._pairs)


def pairs(graph: "rx.PyGraph[int, None]") -> set[tuple[int, int]]:
    return rx.max_weight_matching(graph, max_cardinality=True)
