"""Measures the solver on first positions and random positions of every game and size.

    python -m bench.solver [--positions 40] [--nodes 150000]

Each position is solved with empty caches on one core; times are CPU time. `verdicts` is the time to
find out who wins after each move; `all` includes the distances, as far as the budget allows.
`solved` is the share of positions where every move has a verdict, `distances` the share where
every move also has a distance.
"""

import argparse
from collections.abc import Iterator, Mapping
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from games.rules import GAMES
from games.solver import NODES, solver_for

SIZES: Mapping[str, list[dict[str, int]]] = {
    "number-blossoms": [{"pool": 9}, {"pool": 15}, {"pool": 20}],
    "number-tower-duel": [{"pool": 9}, {"pool": 20}, {"pool": 50}, {"pool": 100}],
    "chain-factor": [{"pool": 9}, {"pool": 20}, {"pool": 50}, {"pool": 99}, {"pool": 100}],
    "number-collapse": [{"size": 3}, {"size": 4}, {"size": 5}],
    "number-eliminator": [{"pool": 9}],
}

# Rows in alternating directions leave more different remainders than any other grid we tried.
HARDEST_GRID = (1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12, 16, 15, 14, 13)


class Timed(NamedTuple):
    verdicts: float
    all: float
    nodes: int
    solved: bool
    distances: bool


def timed(game: Any, state: Any, nodes: int) -> Timed:
    after = {move: game.play(state, state.turn, move).state for move in game.legal_moves(state)}
    running = {move: following for move, following in after.items() if not game.outcome(following)}
    start = process_time()
    solver_for(game, state, nodes).winners(state, running)
    middle = process_time()
    solver = solver_for(game, state, nodes)
    solution = solver.solve(state)
    end = process_time()
    return Timed(
        middle - start,
        end - middle,
        nodes - solver.budget.left,
        all(verdict.winner for verdict in solution.verdicts),
        all(verdict.distance for verdict in solution.verdicts),
    )


def random_positions(game: Any, options: Mapping[str, int], count: int) -> Iterator[Any]:
    """Yield positions from random matches, after at least one move and before the end."""
    rng = Random(2)
    while count:
        states = [game.setup(rng, **options)]
        while legal := game.legal_moves(states[-1]):
            states.append(game.play(states[-1], states[-1].turn, rng.choice(legal)).state)
        if len(states) > 2:
            yield rng.choice(states[1:-1])
            count -= 1


def first_positions(game: Any, options: Mapping[str, int], count: int) -> Iterator[Any]:
    rng = Random(1)
    yield from (game.setup(rng, **options) for _ in range(count))


def show(name: str, which: str, results: list[Timed]) -> None:
    seconds = sum(result.all for result in results)
    columns = [f"{name:<28}{which:<8}"]
    for times in ([one.verdicts for one in results], [one.all for one in results]):
        columns += [f"{1000 * median(times):>9.1f}{1000 * max(times):>9.1f}"]
    columns += [f"{sum(one.solved for one in results) / len(results):>8.0%}"]
    columns += [f"{sum(one.distances for one in results) / len(results):>11.0%}"]
    columns += [f"{sum(one.nodes for one in results) / seconds:>12,.0f}"]
    columns += [f"{len(results) / seconds:>13,.0f}"]
    print("".join(columns))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=NODES)
    arguments = parser.parse_args()
    print(f"{'':<36}{'verdicts, ms':>18}{'all, ms':>18}")
    print(
        f"{'game':<28}{'which':<8}{'median':>9}{'worst':>9}{'median':>9}{'worst':>9}"
        f"{'solved':>8}{'distances':>11}{'nodes/s':>12}{'positions/s':>13}"
    )
    for slug, sizes in SIZES.items():
        for options in sizes:
            name = " ".join([slug, *(f"{key} {value}" for key, value in options.items())])
            for which, positions in (("first", first_positions), ("random", random_positions)):
                states = positions(GAMES[slug], options, arguments.positions)
                show(name, which, [timed(GAMES[slug], one, arguments.nodes) for one in states])
    game: Any = GAMES["number-collapse"]
    hardest = game.setup_from(HARDEST_GRID)
    show("number-collapse size 4", "hardest", [timed(game, hardest, arguments.nodes)])


if __name__ == "__main__":
    main()
