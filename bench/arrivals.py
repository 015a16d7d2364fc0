"""Measures a crowd that arrives: 300 people open a match's page and connect within three seconds.

    python -m bench.arrivals [--servers daphne,uvicorn] [--rounds 3] [--thinking 0.2]

Each person gets a match's page on a new connection, like a browser that has the static files
already, and then connects the websocket. They come at random moments of three seconds: the players
of 150 matches that the server hasn't loaded yet, or 300 spectators of one. Beside them, 100 matches
are played; `--thinking` is how many seconds those players take for a move. Before each crowd, the
same matches are measured without one.
"""

import argparse
import math
import signal
import sys
from dataclasses import dataclass, field

from bench.generator import Generator, generating
from bench.measurements import Moves, percentile
from bench.moves import MOVES_IN_A_MATCH
from bench.pinned import LOAD_CORE, stay_on
from bench.report import table
from bench.systems import System, numgames

PEOPLE, WITHIN = 300, 3.0
AT_ONCE = 100
WARM_UP = 1.0
# Long enough to see the end of the crowd.
SECONDS = 4.0

# The goals, in milliseconds.
ALL_CONNECTED, LONGEST_MOVE = 4000, 50

KINDS = {"players of 150 matches": 150, "spectators of one match": 1}


@dataclass
class Crowd:
    """What was measured, slice by slice, in milliseconds."""

    before: Moves = field(default_factory=Moves)
    beside: Moves = field(default_factory=Moves)
    pages: list[float] = field(default_factory=list)
    connected: list[float] = field(default_factory=list)
    last: float = 0


def measure(generator: Generator, system: System, matches: int, thinking: float) -> Crowd:
    moves = AT_ONCE * (WARM_UP + SECONDS) / thinking
    played = AT_ONCE + math.ceil(1.5 * moves / MOVES_IN_A_MATCH)
    crowd = Crowd()
    with generator.matches(system, played):
        crowd.before.add_moves(
            generator.play(AT_ONCE, thinking=thinking, warmUp=WARM_UP, seconds=SECONDS)
        )
    opened = system.new_matches(matches)
    people = [
        {
            "page": f"{system.bases[0]}/m/{match_id}/",
            "socket": f"{system.bases[0].replace('http', 'ws')}/ws/match/{match_id}/",
            "token": token,
        }
        for match_id in opened["ids"]
        for token in ([""] * PEOPLE if matches == 1 else opened["tokens"])
    ]
    with generator.matches(system, played):
        arrived = generator.arrive(
            people,
            within=WITHIN,
            atOnce=AT_ONCE,
            thinking=thinking,
            warmUp=WARM_UP,
            seconds=SECONDS,
        )
    crowd.beside.add_moves(arrived)
    crowd.pages, crowd.connected = arrived["pages"], arrived["connected"]
    crowd.last = arrived["last"]
    return crowd


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--servers", default="daphne,uvicorn")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--thinking", type=float, default=0.2)
    chosen = parser.parse_args()
    stay_on(LOAD_CORE)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    rows = []
    with generating() as generator:
        for server in chosen.servers.split(","):
            with numgames(server) as system:
                for kind, matches in KINDS.items():
                    crowds = [
                        measure(generator, system, matches, chosen.thinking)
                        for _ in range(chosen.rounds)
                    ]
                    rows.append([server, kind, *figures(crowds)])
    print(f"\n### {PEOPLE} people arrive within {WITHIN:.0f} seconds\n")
    head = ["server", "who", "all connected, s", "page, p50 / p99 ms", "connected, p50 / p99 ms"]
    table([*head, "moves without them, p50 / p99 ms", "moves beside them, p50 / p99 ms"], rows)


def figures(crowds: list[Crowd]) -> list[str]:
    last = max(crowd.last for crowd in crowds)
    slowest = max(percentile(one, 99) for crowd in crowds for one in crowd.beside.latencies)
    return [
        f"{last / 1000:.2f}{said(last, ALL_CONNECTED)}",
        both([one for crowd in crowds for one in crowd.pages]),
        both([one for crowd in crowds for one in crowd.connected]),
        both([one for crowd in crowds for slice_ in crowd.before.latencies for one in slice_]),
        both([one for crowd in crowds for slice_ in crowd.beside.latencies for one in slice_])
        + said(slowest, LONGEST_MOVE),
    ]


def both(waited: list[float]) -> str:
    ordered = sorted(waited)
    return f"{percentile(ordered, 50):.1f} / {percentile(ordered, 99):.1f}"


def said(value: float, most: float) -> str:
    """Return nothing if a goal is reached in every round."""
    return "" if value <= most else " **missed**"


if __name__ == "__main__":
    main()
