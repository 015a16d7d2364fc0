"""Starts processes pinned to a CPU core, and stops them."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SERVER_CORE, LOAD_CORE = 0, 1


def stay_on(core: int) -> None:
    """Pin this process, and those it starts from now on, to one core."""
    if os.cpu_count() == 1:
        raise SystemExit("This needs two cores: one for the server and one for the load.")
    os.sched_setaffinity(0, {core})


def stop_on_sigterm() -> None:
    """Leave all contexts on SIGTERM, which stops the servers that were started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


@contextlib.contextmanager
def running(
    command: Sequence[str], core: int, environment: Mapping[str, str] | None = None, **options: Any
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        text=True,
        preexec_fn=lambda: stay_on(core),
        **options,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate(timeout=10)
