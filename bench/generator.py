"""Talks to the load generator's process: sends commands and reads results, as lines of JSON."""

import contextlib
import json
import subprocess
from collections.abc import Iterator
from typing import Any

from bench.pinned import LOAD_CORE, ROOT, running
from bench.systems import System


class Generator:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @contextlib.contextmanager
    def matches(self, system: System, count: int, watching: int = 0) -> Iterator[None]:
        """Open new matches and connect their players and spectators; disconnect them at the end."""
        self._ask(
            "open",
            client=system.client,
            bases=system.bases,
            serverPids=system.pids,
            count=count,
            made=system.new_matches(count),
            watching=watching,
        )
        try:
            yield
        finally:
            self._ask("close")

    def play(self, at_once: int, **options: Any) -> dict[str, Any]:
        return self._ask("play", atOnce=at_once, **options)

    def arrive(self, people: list[dict[str, str]], **options: Any) -> dict[str, Any]:
        return self._ask("arrive", people=people, **options)

    def watch(self) -> dict[str, Any]:
        return self._ask("watch")

    def crowd(self, between: float) -> dict[str, Any]:
        return self._ask("crowd", between=between)

    def probe(self, seconds: float) -> dict[str, Any]:
        return self._ask("probe", seconds=seconds)

    def ask(self, address: str, **options: Any) -> dict[str, Any]:
        return self._ask("ask", address=address, **options)

    def _ask(self, command: str, **options: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"command": command, **options}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline() or '{"error": "gone"}')
        if "error" in answer:
            raise SystemExit(f"The load generator failed to {command}: {answer['error']}")
        return answer


@contextlib.contextmanager
def generating() -> Iterator[Generator]:
    with running(
        ["node", str(ROOT / "bench" / "load" / "main.mjs")],
        LOAD_CORE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        yield Generator(process)
