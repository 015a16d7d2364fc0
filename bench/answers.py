"""Measures pages and API answers a second, compared with a plain Django project.

    python -m bench.answers [--servers daphne,uvicorn] [--rounds 5] [--gzip]

One process of the site and one of the plain project (bench/plain.py) on each server, all on one
core; the load is on the other. 16 connections are kept open, and each asks again as soon as it has
the answer. The processes take turns in slices of a second, and those that wait are paused. A ratio
is the median of the ratios of adjacent slices.
"""

import argparse
import contextlib
import signal
import sys

from bench.generator import Generator, generating
from bench.measurements import Moves
from bench.pinned import LOAD_CORE, stay_on
from bench.report import table
from bench.systems import System, numgames, only, plain

CONNECTIONS = 16
WARM_UP, SLICE = 0.3, 1.0

# What is asked for, and what it is compared with. `{match}` is a match that is being played.
PLAIN_PAGE, PLAIN_DATA = "/", "/data/"
ASKED = {
    "lobby": ("/", PLAIN_PAGE, 1.0),
    "rules": ("/rules/number-tower-duel/", PLAIN_PAGE, 1.0),
    "Live now": ("/watch/", PLAIN_PAGE, 1.0),
    "match": ("/m/{match}/", PLAIN_PAGE, 0.7),
    "API, live matches": ("/api/matches/?live=1", PLAIN_DATA, 0.9),
    "API, a match": ("/api/matches/{match}/", PLAIN_DATA, 0.9),
}
NAMES = {PLAIN_PAGE: "plain Django, page", PLAIN_DATA: "plain Django, JSON"}


class Bench:
    def __init__(self, generator: Generator, headers: dict[str, str]) -> None:
        self.generator, self.headers = generator, headers
        self.results: dict[tuple[str, str], Moves] = {}

    def measure(self, name: str, server: str, system: System, path: str) -> None:
        answered = self.generator.ask(
            system.bases[0] + path,
            headers=self.headers,
            connections=CONNECTIONS,
            warmUp=WARM_UP,
            seconds=SLICE,
            serverPids=system.pids,
        )
        one = self.results.setdefault((name, server), Moves())
        one.add(answered["answers"], answered)
        one.latencies.append(sorted(answered["latencies"]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--servers", default="daphne,uvicorn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gzip", action="store_true", help="ask for compressed answers")
    chosen = parser.parse_args()
    servers = chosen.servers.split(",")
    stay_on(LOAD_CORE)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    headers = {"accept-encoding": "gzip"} if chosen.gzip else {}
    with contextlib.ExitStack() as stack:
        generator = stack.enter_context(generating())
        bench = Bench(generator, headers)
        sites = {server: stack.enter_context(numgames(server)) for server in servers}
        plains = {server: stack.enter_context(plain(server)) for server in servers}
        everything = [*sites.values(), *plains.values()]
        for server in servers:
            match_id = sites[server].new_matches(1)["ids"][0]
            for _ in range(chosen.rounds):
                for name, (path, compared, _) in ASKED.items():
                    with only(plains[server], everything):
                        bench.measure(f"beside {name}", server, plains[server], compared)
                    with only(sites[server], everything):
                        address = path.format(match=match_id)
                        bench.measure(name, server, sites[server], address)
        show(bench, servers)


def show(bench: Bench, servers: list[str]) -> None:
    print(f"\n### Answers a second, {CONNECTIONS} connections\n")
    head = ["what"]
    for server in servers:
        head += [server, "server µs", "p50 / p99 ms", "plain Django", "ratio"]
    rows = []
    for name, (_, _, goal) in ASKED.items():
        row = [name]
        for server in servers:
            one, other = bench.results[name, server], bench.results[f"beside {name}", server]
            ratio = one.times(other)
            row += [
                f"{one.rate:,.0f}",
                f"{one.server_microseconds:,.0f}",
                f"{one.latency(50):.1f} / {one.latency(99):.1f}",
                f"{other.rate:,.0f}",
                f"{ratio:.2f} (at least {goal}{'' if ratio >= goal else ', **missed**'})",
            ]
        rows.append(row)
    table(head, rows)


if __name__ == "__main__":
    main()
