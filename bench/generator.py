"""The load generator's process: commands go in, measurements come out, a line of JSON each."""

import contextlib
import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bench.pinned import LOAD_CORE, ROOT, running
from bench.servers import Server

FOLDER = ROOT / "bench"


@dataclass
class Measurement:
    """What one server did with so many matches at once, slice by slice."""

    rates: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    moves: int = 0
    bytes: int = 0
    seconds: float = 0.0
    usage: dict[str, float] = field(default_factory=dict)

    def add(self, played: Mapping[str, Any]) -> None:
        self.rates.append(played["moves"] / played["seconds"])
        self.latencies += played["latencies"]
        self.moves += played["moves"]
        self.bytes += played["bytes"]
        self.seconds += played["seconds"]
        for what, seconds in played["usage"].items():
            self.usage[what] = self.usage.get(what, 0.0) + seconds

    @property
    def rate(self) -> float:
        """Moves a second in the middle one of the slices: one bad second does not count."""
        return median(self.rates)

    def latency(self, percent: float) -> float:
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]

    def core(self, what: str) -> float:
        """How much of a core something took, in percent."""
        return 100 * self.usage[what] / self.seconds

    @property
    def server_microseconds(self) -> float:
        """The server's work for a move: the figure that a disturbed machine changes least."""
        return 1e6 * self.usage["server"] / self.moves

    def others(self, what: str) -> float:
        """What strangers, or the machine below this one, took of the same core, in percent."""
        return max(0.0, self.core(what + "Core") - self.core(what))


class Generator:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def prepare(self, server: Server, matches: int) -> float:
        """Make matches and open their sockets; how many seconds the sockets took."""
        return float(
            self._ask("prepare", system=server.system, base=server.base, matches=matches)["opening"]
        )

    def play(self, server: Server, at_once: int, warm_up: float, seconds: float) -> dict[str, Any]:
        return self._ask(
            "play", atOnce=at_once, warmUp=warm_up, seconds=seconds, serverPid=server.pid
        )

    def close(self) -> None:
        self._ask("close")

    def _ask(self, command: str, **options: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"command": command, **options}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline() or '{"error": "gone"}')
        if "error" in answer:
            raise SystemExit(f"The load generator could not {command}: {answer['error']}")
        return answer


@contextlib.contextmanager
def generating() -> Iterator[Generator]:
    install()
    with running(
        ["node", str(FOLDER / "load.mjs")],
        LOAD_CORE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        yield Generator(process)


def install() -> None:
    """Get the generator's one package, unless the pinned version is there already."""
    wanted = json.loads((FOLDER / "package.json").read_text())["dependencies"]["ws"]
    installed = FOLDER / "node_modules" / "ws" / "package.json"
    if installed.exists() and json.loads(installed.read_text())["version"] == wanted:
        return
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund"],
        cwd=FOLDER,
        check=True,
        timeout=300,
    )
