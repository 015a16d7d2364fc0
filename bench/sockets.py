"""Measures what thousands of open sockets cost: memory, pauses, and the moves of others.

    python -m bench.sockets [--systems uvicorn-sqlite,daphne-sqlite] [--sockets 10000] [--rounds 5]

waiting    10,000 sockets of 5,000 matches in which nobody moves, whose clients ping every 2.5
           seconds as real ones do. Beside them 100 matches are played, first at full speed, then by
           players who think for a second; then the same without the sockets. Meanwhile a
           probe pings the server every 5 ms: its longest wait is the longest pause.
watching   10,000 spectators of one match: when its players and its last spectator have an update.

The server runs on one core, and the load on the other. A move waits for both, so the load's share
of its core is printed too.
"""

import argparse
import contextlib
import math
import re
import signal
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import mean, median

from bench.generator import Generator, generating
from bench.measurements import Moves
from bench.moves import MOVES_IN_A_MATCH, private_kilobytes
from bench.pinned import LOAD_CORE, stay_on
from bench.report import table
from bench.systems import SYSTEMS, System

PLAYING = 100
# Slices of this many moves, or at most this many seconds.
MOVES, SECONDS = 4000, 2.0
# The p99 of 100 players who think for a second is that of the 15 slowest of these seconds' moves.
THINKING = 16.0
BETWEEN_MOVES = 0.7
# A server closes sockets that ping all the time, so the probe has some to take turns.
PROBES = 50
ARRIVING, SETTLE = 10.0, 3.0
CPU = "server", "generator"


@dataclass
class Side:
    """What was measured with the sockets, or without them."""

    playing: Moves = field(default_factory=Moves)
    thinking: Moves = field(default_factory=Moves)
    # Milliseconds that the probe waited: while nobody played, and during each kind of playing.
    quiet: list[float] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)


class Bench:
    def __init__(self, system: System, scenarios: Sequence[str], sockets: int, rounds: int) -> None:
        self.system, self.scenarios = system, scenarios
        self.sockets, self.rounds = sockets, rounds
        self.without, self.beside = Side(), Side()
        self.kilobytes = self.collection = 0.0
        # Milliseconds that the probe waited while the sockets were opened.
        self.arriving: list[float] = []
        self.crowd: list[dict[str, float]] = []
        self.crowd_pause = 0.0

    def run(self) -> None:
        with (
            generating() as idle,
            generating() as players,
            generating() as probe,
            probe.matches(self.system, PROBES),
        ):
            if "waiting" in self.scenarios:
                self._wait(idle, players, probe)
            if "watching" in self.scenarios:
                self._watch(idle, probe)

    def _wait(self, idle: Generator, players: Generator, probe: Generator) -> None:
        # This comes first, because memory that was used before would be reused.
        before = private_kilobytes(self.system)
        with contextlib.ExitStack() as stack:
            with probing(probe, ARRIVING, self.arriving):
                stack.enter_context(idle.matches(self.system, self.sockets // 2))
            self.kilobytes = (private_kilobytes(self.system) - before) / self.sockets
            with probing(probe, SETTLE, self.beside.quiet):
                pass
            self._play(players, probe, self.beside)
            self.collection = 1000 * self._longest_collection()
        self._play(players, probe, self.without)

    def _play(self, players: Generator, probe: Generator, side: Side) -> None:
        matches = PLAYING + math.ceil(1.25 * MOVES / MOVES_IN_A_MATCH)
        for _ in range(self.rounds):
            with players.matches(self.system, matches), probing(probe, 1.0, side.pauses):
                side.playing.add_moves(
                    players.play(PLAYING, warmUp=0.1, seconds=SECONDS, mostMoves=MOVES)
                )
        matches = PLAYING + math.ceil(1.2 * PLAYING * THINKING / MOVES_IN_A_MATCH)
        with players.matches(self.system, matches), probing(probe, THINKING, side.pauses):
            side.thinking.add_moves(
                players.play(PLAYING, thinking=1, warmUp=1, seconds=THINKING - 1)
            )

    def _watch(self, crowd: Generator, probe: Generator) -> None:
        waits: list[float] = []
        with crowd.matches(self.system, 1, watching=self.sockets), probing(probe, 6.0, waits):
            self.crowd = crowd.crowd(BETWEEN_MOVES)["moves"]
        self.crowd_pause = max(waits)

    def _longest_collection(self) -> float:
        with urllib.request.urlopen(f"{self.system.bases[0]}/metrics/", timeout=10) as answer:
            found = re.search(
                r"^numgames_longest_collection_seconds (\S+)", answer.read().decode(), re.MULTILINE
            )
        return float(found[1]) if found else math.nan


@contextlib.contextmanager
def probing(probe: Generator, seconds: float, waits: list[float]) -> Iterator[None]:
    """Probe a server for this long, beside the block."""
    with ThreadPoolExecutor(1) as thread:
        probed = thread.submit(probe.probe, seconds)
        yield
        waits += probed.result()["times"]


def show(benches: dict[str, Bench], scenarios: Sequence[str]) -> None:
    if "waiting" in scenarios:
        print("\n### Sockets that wait\n")
        head = ["system", "KB a socket", "playing: p99 ms without, with", "×"]
        head += [
            "thinking: p99 ms without, with",
            "×",
            "longest pause ms: opening, idle, playing (without)",
        ]
        head += ["longest collection ms", "load's core"]
        table(head, (row(*each) for each in benches.items()))
    if "watching" in scenarios:
        print("\n### Spectators of one match\n")
        head = ["system", "players have it after ms: median, slowest"]
        head += ["the last spectator: median, slowest", "CPU ms of server, of load"]
        table([*head, "longest pause ms"], (crowd_row(*each) for each in benches.items()))


def row(key: str, bench: Bench) -> list[str]:
    without, beside = bench.without, bench.beside

    def compared(one: Moves, two: Moves) -> list[str]:
        first, second = one.latency(99), two.latency(99)
        return [f"{first:.2f}, {second:.2f}", f"{second / first:.2f}"]

    return [
        *(SYSTEMS[key].name, f"{bench.kilobytes:.1f}"),
        *compared(without.playing, beside.playing),
        *compared(without.thinking, beside.thinking),
        ", ".join(f"{max(waits):.0f}" for waits in (bench.arriving, beside.quiet, beside.pauses))
        + f" ({max(without.pauses):.0f})",
        f"{bench.collection:.0f}",
        f"{beside.playing.core('generatorCore'):.0f} %",
    ]


def crowd_row(key: str, bench: Bench) -> list[str]:
    players = sorted(move["players"] for move in bench.crowd)
    last = sorted(move["last"] for move in bench.crowd)
    return [
        SYSTEMS[key].name,
        f"{median(players):.1f}, {players[-1]:.1f}",
        f"{median(last):.0f}, {last[-1]:.0f}",
        ", ".join(f"{mean(move[who] for move in bench.crowd):.0f}" for who in CPU),
        f"{bench.crowd_pause:.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", default="uvicorn-sqlite,daphne-sqlite")
    parser.add_argument("--scenarios", default="waiting,watching")
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5, help="slices of playing at full speed")
    chosen = parser.parse_args()
    stay_on(LOAD_CORE)
    # SIGTERM must stop the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    benches = {}
    for key in chosen.systems.split(","):
        with SYSTEMS[key].start() as system:
            benches[key] = Bench(system, chosen.scenarios.split(","), chosen.sockets, chosen.rounds)
            benches[key].run()
    show(benches, chosen.scenarios.split(","))


if __name__ == "__main__":
    main()
