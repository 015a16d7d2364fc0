"""Measures moves through sockets, compared with boardgame.io, Colyseus and the raw relay.

    python -m bench.moves [--quick] [--systems boardgame.io,uvicorn-sqlite] [--matches 1,10,100,500]
                          [--scenarios playing,thinking] [--rounds 3] [--plot docs/images/moves.svg]
                          [--profile uvicorn-sqlite]

All systems run side by side on one core; the load generator, PostgreSQL and Redis use the other.
The systems take turns in slices, and those that wait are paused. All matches exist and their
sockets are open before a slice's clock starts. Systems with "no-frames" in their names run without
the fast path (docs/frames.md). Those with "two-cores" have a second process on the other core, and
share it with the load generator, PostgreSQL and Redis: less than a second core for them alone would
bring.

playing    N matches at once: a player moves as soon as the update arrives, and when a match ends
           the next one starts. A move counts when both players have its update.
thinking   500 matches whose players think for a second: how long a move's sender waits.
watching   1,000 spectators of a match: updates delivered, over three matches of eight moves.
idle       the memory per socket, with 1,000 players in 500 matches.
"""

import argparse
import contextlib
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import plot, report
from bench.generator import Generator, generating
from bench.measurements import Moves, Results, Work
from bench.pinned import LOAD_CORE, stay_on, stop_on_sigterm
from bench.profiling import profile
from bench.systems import SCENARIOS, SYSTEMS, Scenario, System, only

WARM_UP = 0.2
# A slice ends after this many seconds or moves. A fast system needs no more, and every match that
# waits for its turn costs the server two open sockets.
SLICE, MOST_MOVES = 1.0, 4000
MOVES_IN_A_MATCH = 5.37
# A first run finds out how many matches a slice takes. It doesn't count.
FIRST_MOVES = 1000

# Long enough to include periodic jobs and garbage collection.
THINKERS, THINKING = 500, 10.0
# All matches start together, and the shortest have three moves: no match is replaced before this.
ALL_PLAY_FOR = 2.5
SPECTATORS, WATCHED = 1000, 3
IDLE, IDLE_BEFORE = 500, 20

QUICK = ["boardgame.io", "colyseus", "daphne-sqlite", "uvicorn-sqlite", "uvicorn-postgresql"]


class Bench:
    def __init__(
        self,
        generator: Generator,
        systems: dict[str, System],
        at_once: list[int],
        scenarios: Sequence[Scenario],
    ) -> None:
        self.generator = generator
        self.systems = systems
        self.at_once = at_once
        self.scenarios = scenarios
        self.results = Results()
        self._rates: dict[tuple[str, int], float] = {}

    def run(self, rounds: int) -> None:
        for key, system in self._in("idle"):
            # This comes first, because memory that was used before would be reused.
            self.results.idle[key] = self._idle(system)
        for n in self.at_once:
            for key, system in self._in("playing"):
                self._warm_up(key, system, n)
        for _ in range(rounds):
            for n in self.at_once:
                for key, system in self._in("playing"):
                    self._play(key, system, n)
            for key, system in self._in("thinking"):
                self._think(key, system)
            for key, system in self._in("watching"):
                self._watch(key, system)

    def _in(self, scenario: Scenario) -> Iterator[tuple[str, System]]:
        for key, system in self.systems.items():
            if scenario in self.scenarios and scenario in SYSTEMS[key].scenarios:
                if sys.stderr.isatty():
                    print(f"\r{scenario}: {SYSTEMS[key].name:<40}", end="", file=sys.stderr)
                with only(system, self.systems.values()):
                    yield key, system

    def _warm_up(self, key: str, system: System, n: int) -> None:
        with self.generator.matches(system, n + math.ceil(1.5 * FIRST_MOVES / MOVES_IN_A_MATCH)):
            played = self.generator.play(n, warmUp=0, seconds=SLICE, mostMoves=FIRST_MOVES)
        self._rates[key, n] = played["moves"] / played["seconds"]

    def _play(self, key: str, system: System, n: int) -> None:
        rate = self._rates[key, n]
        moves = rate * WARM_UP + min(rate * SLICE, MOST_MOVES)
        # A quarter more, in case it is faster this time.
        with self.generator.matches(system, n + math.ceil(1.25 * moves / MOVES_IN_A_MATCH)):
            played = self.generator.play(n, warmUp=WARM_UP, seconds=SLICE, mostMoves=MOST_MOVES)
        self._rates[key, n] = max(rate, played["moves"] / played["seconds"])
        self.results.playing.setdefault((key, n), Moves()).add_moves(played)

    def _think(self, key: str, system: System) -> None:
        replaced = THINKERS * (1 + THINKING - ALL_PLAY_FOR) / MOVES_IN_A_MATCH
        matches = THINKERS + math.ceil(1.1 * replaced)
        with self.generator.matches(system, matches):
            played = self.generator.play(THINKERS, thinking=1, warmUp=1, seconds=THINKING)
        self.results.thinking.setdefault(key, Moves()).add_moves(played)

    def _watch(self, key: str, system: System) -> None:
        with self.generator.matches(system, WATCHED, watching=SPECTATORS):
            watched = self.generator.watch()
        self.results.watching.setdefault(key, Work()).add(watched["deliveries"], watched)

    def _idle(self, system: System) -> float:
        """Return the kilobytes that a socket takes."""
        with self.generator.matches(system, IDLE_BEFORE):
            pass
        before = private_kilobytes(system)
        with self.generator.matches(system, IDLE):
            return (private_kilobytes(system) - before) / (2 * IDLE)


def private_kilobytes(system: System) -> float:
    """Return the private memory of a system's processes."""
    system.collect()
    total = 0
    for pid in system.pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Private_"):
                total += int(line.split()[1])
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", help=f"some of {', '.join(SYSTEMS)}; default: all")
    parser.add_argument("--matches", help="numbers of matches at once; default: 1,10,100,500")
    parser.add_argument(
        "--scenarios",
        default=",".join(SCENARIOS),
        help=f"some of {', '.join(SCENARIOS)}; default: all",
    )
    parser.add_argument("--rounds", type=int, help="slices per measurement; default: 3")
    parser.add_argument("--quick", action="store_true", help="fewer systems, matches and rounds")
    parser.add_argument("--plot", type=Path, help="SVG file to draw the results in")
    parser.add_argument("--profile", choices=SYSTEMS, help="only show where its time goes")
    chosen = parser.parse_args()
    keys = chosen.systems.split(",") if chosen.systems else QUICK if chosen.quick else [*SYSTEMS]
    numbers = chosen.matches or ("1,100" if chosen.quick else "1,10,100,500")
    at_once = [int(number) for number in numbers.split(",")]
    stay_on(LOAD_CORE)
    stop_on_sigterm()
    with contextlib.ExitStack() as stack:
        generator = stack.enter_context(generating())
        if chosen.profile:
            system = stack.enter_context(SYSTEMS[chosen.profile].start())
            profile(generator, system, at_once[-1], chosen.rounds or 5)
            return
        systems = {key: stack.enter_context(SYSTEMS[key].start()) for key in keys}
        bench = Bench(generator, systems, at_once, chosen.scenarios.split(","))
        bench.run(chosen.rounds or (2 if chosen.quick else 3))
        print(file=sys.stderr)
        report.show(bench.results, at_once)
        if chosen.plot:
            plot.draw(bench.results, at_once, chosen.plot)


if __name__ == "__main__":
    main()
