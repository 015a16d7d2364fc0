"""How many moves a second a server takes, and how long a player waits, beside daphne's own limit.

    python -m bench.moves [--seconds 5] [--matches 1,10,100] [--profile [numgames|raw]]

Closed loop: a player moves when the update has come. Matches are made and their sockets open before
the clock starts; a finished match is followed by the next one prepared. A move counts when both
players have its update; its latency is its sender's. A measurement consists of slices of a second
in which the servers take turns, so that what else the machine does falls on all of them, and no
socket waits long for its match.
"""

import argparse
import math
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack

from bench import servers
from bench.generator import Generator, Measurement, generating
from bench.pinned import LOAD_CORE, stay_on
from bench.profiling import profile
from bench.servers import Server

SLICE = 1.0
WARM_UP = 0.25
# Before anything counts, and to learn how many matches a slice takes.
FIRST_GUESS = 300
MOVES_IN_A_MATCH = 5.37
BUSY = 90
# With more of its core taken by others than this, in percent, a server's figures say little.
DISTURBED = 10


class Bench:
    def __init__(self, generator: Generator, systems: list[Server], at_once: list[int]) -> None:
        self.generator = generator
        self.systems = systems
        self.at_once = at_once
        self.measured = {(system.system, n): Measurement() for system in systems for n in at_once}
        self._rates: dict[tuple[str, int], float] = {}

    def warm_up(self) -> None:
        """A second of play for each system; what it gives is only an estimate of its speed."""
        for system in self.systems:
            for n in self.at_once:
                self.generator.prepare(system, FIRST_GUESS + n)
                played = self.generator.play(system, n, 0.0, 1.0)
                self.generator.close()
                self._rates[system.system, n] = played["moves"] / played["seconds"]

    def run(self, seconds: float) -> None:
        for _ in range(math.ceil(seconds / SLICE)):
            for n in self.at_once:
                for system in self.systems:
                    self._measure(system, n)

    def _measure(self, system: Server, n: int) -> None:
        self.generator.prepare(system, self.matches_for(system, n, SLICE + WARM_UP))
        played = self.generator.play(system, n, WARM_UP, SLICE)
        self.generator.close()
        rate = played["moves"] / played["seconds"]
        self._rates[system.system, n] = max(rate, self._rates[system.system, n])
        self.measured[system.system, n].add(played)

    def matches_for(self, system: Server, n: int, seconds: float) -> int:
        """Enough for so many seconds, should it be a quarter faster than it was."""
        return n + math.ceil(1.25 * self._rates[system.system, n] * seconds / MOVES_IN_A_MATCH)


COLUMNS: dict[str, Callable[[Measurement], str]] = {
    "moves/s": lambda one: f"{one.rate:,.0f}",
    "p50 ms": lambda one: f"{one.latency(50):.2f}",
    "p99 ms": lambda one: f"{one.latency(99):.2f}",
    "server µs/move": lambda one: f"{one.server_microseconds:.0f}",
    "server core %": lambda one: f"{one.core('server'):.0f}",
    "generator core %": lambda one: f"{one.core('generator'):.0f}",
    "others on them %": lambda one: f"{one.others('server'):.0f}, {one.others('generator'):.0f}",
}


def show(bench: Bench) -> None:
    print(f"{'system':<27}{'N':>4}", *(f"{head:>{len(head) + 2}}" for head in COLUMNS), " ratio")
    for n in bench.at_once:
        limit = bench.measured["raw", n]
        for system in bench.systems:
            one = bench.measured[system.system, n]
            cells = (f"{cell(one):>{len(head) + 2}}" for head, cell in COLUMNS.items())
            print(f"{system.name:<27}{n:>4}", *cells, f"{one.rate / limit.rate:6.2f}")
    for (name, n), one in bench.measured.items():
        if one.core("generator") > BUSY:
            print(f"{name}, N = {n}: the generator was the limit, not the server.")
        if one.others("server") > DISTURBED:
            print(f"{name}, N = {n}: others took too much of the server's core; measure again.")
        if n == bench.at_once[-1]:
            print(f"{name}: an update has {one.bytes / one.moves:.0f} bytes.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=5, help="for each system and number")
    parser.add_argument("--matches", default="1,10,100", help="numbers of matches at once")
    parser.add_argument(
        "--profile",
        nargs="?",
        const="numgames",
        choices=["numgames", "raw"],
        help="show where a server's time goes, at the largest number of matches",
    )
    arguments = parser.parse_args()
    at_once = [int(n) for n in arguments.matches.split(",")]
    stay_on(LOAD_CORE)
    # Being asked to stop must end the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        ours = stack.enter_context(servers.numgames())
        limit = stack.enter_context(servers.raw(beside=ours))
        generator = stack.enter_context(generating())
        if arguments.profile:
            system = ours if arguments.profile == "numgames" else limit
            profile(generator, system, at_once[-1], arguments.seconds)
            return
        bench = Bench(generator, [limit, ours], at_once)
        bench.warm_up()
        bench.run(arguments.seconds)
        show(bench)


if __name__ == "__main__":
    main()
