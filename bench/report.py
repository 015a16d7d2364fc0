"""Prints the results as Markdown tables, and which goals they reach."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.measurements import Results
from bench.systems import SYSTEMS

PEERS = ("boardgame.io", "colyseus")
# The peer that all systems are compared with at every N.
MEASURE = "colyseus"
# The number of matches at once at which systems are compared with all peers.
COMPARED = 100
BUSY = 90
# If other programs use more than this percentage of its core, a server's figures mean little.
DISTURBED = 10


def show(results: Results, at_once: Sequence[int]) -> None:
    if results.playing:
        show_playing(results, at_once)
        if (MEASURE, at_once[0]) in results.playing:
            show_ratios(results, at_once)
        if any(key.endswith("two-cores") for key, _ in results.playing):
            print("\nCrowded: one of the two processes shares its core with the load generator.")
    if results.thinking:
        show_thinking(results)
    if results.watching:
        show_watching(results)
    if results.idle:
        print("\n### Memory for an idle socket\n")
        table(["system", "KB"], ([name(key), f"{kb:.0f}"] for key, kb in results.idle.items()))
    show_goals(results)
    show_doubts(results)


def show_playing(results: Results, at_once: Sequence[int]) -> None:
    playing = results.playing
    keys = list(dict.fromkeys(key for key, _ in playing))
    compared = COMPARED if COMPARED in at_once else at_once[-1]
    print("\n### Moves a second, N matches at once\n")
    table(
        [
            *("system", *(f"N = {n}" for n in at_once), "server µs/move"),
            *(f"× {name(peer)}" for peer in PEERS if peer in keys),
        ],
        (
            [
                *(name(key), *(f"{playing[key, n].rate:,.0f}" for n in at_once)),
                f"{playing[key, compared].server_microseconds:.0f}",
                *(
                    f"{playing[key, compared].times(playing[peer, compared]):.2f}"
                    for peer in PEERS
                    if peer in keys
                ),
            ]
            for key in keys
        ),
    )
    print("\n### How long a move takes, p50 / p99 in ms, N matches at once\n")
    table(
        ["system", *(f"N = {n}" for n in at_once)],
        (
            [
                name(key),
                *(
                    f"{playing[key, n].latency(50):.1f} / {playing[key, n].latency(99):.1f}"
                    for n in at_once
                ),
            ]
            for key in keys
        ),
    )


def show_ratios(results: Results, at_once: Sequence[int]) -> None:
    """Print the moves of each system as a multiple of Colyseus', for each N."""
    playing = results.playing
    print(f"\n### Moves a second, × {name(MEASURE)}\n")
    table(
        ["system", *(f"N = {n}" for n in at_once)],
        (
            [name(key), *(f"{playing[key, n].times(playing[MEASURE, n]):.2f}" for n in at_once)]
            for key in dict.fromkeys(key for key, _ in playing)
        ),
    )


def show_thinking(results: Results) -> None:
    thinking = results.thinking
    peers = [peer for peer in PEERS if peer in thinking]
    print("\n### How long a move takes with 500 matches whose players think for a second\n")
    table(
        ["system", "p50 ms", "p99 ms", *(f"p99 × {name(peer)}" for peer in peers)],
        (
            [
                *(name(key), f"{one.latency(50):.2f}", f"{one.latency(99):.2f}"),
                *(f"{one.latency_times(thinking[peer], 99):.2f}" for peer in peers),
            ]
            for key, one in thinking.items()
        ),
    )


def show_watching(results: Results) -> None:
    watching = results.watching
    peers = [peer for peer in PEERS if peer in watching]
    print("\n### Updates delivered a second to 1,000 spectators of a match\n")
    table(
        ["system", "updates/s", "server µs", *(f"× {name(peer)}" for peer in peers)],
        (
            [
                *(name(key), f"{one.rate:,.0f}", f"{one.server_microseconds:.1f}"),
                *(f"{one.times(watching[peer]):.2f}" for peer in peers),
            ]
            for key, one in watching.items()
        ),
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")


def name(key: str) -> str:
    return SYSTEMS[key].name


@dataclass(frozen=True)
class Goal:
    text: str
    value: Callable[[Results], float]
    least: float | None = None
    most: float | None = None

    def verdict(self, results: Results) -> str:
        """Return whether the goal is reached, or nothing if it was not measured."""
        try:
            value = self.value(results)
        except KeyError:
            return ""
        bound = f"at least {self.least}" if self.least is not None else f"at most {self.most}"
        reached = value >= (self.least or 0) and value <= (self.most or value)
        return f"- {self.text}: {value:.2f} ({bound}: {'reached' if reached else '**missed**'})"


def moves_times(key: str, other: str, n: int = COMPARED) -> Callable[[Results], float]:
    return lambda results: results.playing[key, n].times(results.playing[other, n])


def p99_times(key: str, other: str) -> Callable[[Results], float]:
    return lambda results: results.thinking[key].latency_times(results.thinking[other], 99)


GOALS = [
    Goal(
        "moves, daphne + SQLite to raw daphne",
        moves_times("daphne-sqlite", "raw-daphne"),
        least=0.6,
    ),
    Goal(
        "moves, daphne + SQLite to boardgame.io",
        moves_times("daphne-sqlite", "boardgame.io"),
        least=1.5,
    ),
    Goal(
        "moves, uvicorn + SQLite to boardgame.io",
        moves_times("uvicorn-sqlite", "boardgame.io"),
        least=4,
    ),
    *(
        Goal(
            f"moves, {name(key)} to {name(MEASURE)}, N = {n}",
            moves_times(key, MEASURE, n),
            least=least,
        )
        for key, leasts in (
            ("uvicorn-sqlite", {1: 0.9, 10: 0.6, 100: 1.1, 500: 0.9}),
            ("daphne-sqlite", {1: 0.6, 10: 0.4, 100: 0.8}),
            ("uvicorn-postgresql", {1: 0.2, 10: 0.3, 100: 0.8}),
        )
        for n, least in leasts.items()
    ),
    Goal(
        "p99 in ms, uvicorn + SQLite, N = 500",
        lambda results: results.playing["uvicorn-sqlite", 500].latency(99),
        most=60,
    ),
    *(
        Goal(
            f"moves, two processes to one, uvicorn + PostgreSQL + Redis, N = {n}",
            moves_times("uvicorn-two", "uvicorn-postgresql", n),
            least=0.8,
        )
        for n in (1, 10, 100)
    ),
    Goal(
        "moves, uvicorn + PostgreSQL + Redis to boardgame.io",
        moves_times("uvicorn-postgresql", "boardgame.io"),
        least=2.2,
    ),
    Goal(
        "spectators' updates, uvicorn + SQLite to boardgame.io",
        lambda results: results.watching["uvicorn-sqlite"].times(results.watching["boardgame.io"]),
        least=2.5,
    ),
    *(
        Goal(
            f"p99 with 500 thinking, {server} + SQLite to {peer}",
            p99_times(f"{server}-sqlite", peer),
            most=0.25,
        )
        for server in ("daphne", "uvicorn")
        for peer in PEERS
    ),
    *(
        Goal(
            f"KB for an idle socket, {server} + SQLite",
            lambda results, key=f"{server}-sqlite": results.idle[key],  # type: ignore[misc]
            most=30,
        )
        for server in ("daphne", "uvicorn")
    ),
]


def show_goals(results: Results) -> None:
    verdicts = [verdict for goal in GOALS if (verdict := goal.verdict(results))]
    if verdicts:
        print("\n### Goals\n", *verdicts, sep="\n")


def show_doubts(results: Results) -> None:
    """Warn about figures that may be wrong because a core was too busy."""
    measured = {
        **{f"{name(key)}, N = {n}": one for (key, n), one in results.playing.items()},
        **{f"{name(key)}, thinking": one for key, one in results.thinking.items()},
        **{f"{name(key)}, watching": one for key, one in results.watching.items()},
    }
    if not measured:
        return
    busiest = max(measured, key=lambda what: measured[what].core("generator"))
    share = measured[busiest].core("generator")
    print(f"\nThe load generator was busiest in {busiest}: {share:.0f} % of its core.\n")
    for what, one in measured.items():
        if one.core("generatorCore") > BUSY:
            print(f"{what}: the generator's core was full ({one.core('generatorCore'):.0f} %).")
        if one.strangers > DISTURBED:
            print(f"{what}: other programs used {one.strangers:.0f} % of the core; measure again.")
