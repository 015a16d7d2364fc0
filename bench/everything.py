"""Runs all measurements on one commit and writes their tables into one file.

    python -m bench.everything [--quick] [--only moves,growth] [--output var/measurements.md]

Takes at most 110 minutes, and with --quick half an hour: each command has a time limit. Nothing
else should run on the machine. The file names the commit, and for each table the command that
repeats it, so docs/performance.md needs no table from another commit. `make bench` runs this.
"""

import argparse
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench.pinned import ROOT, stop_on_sigterm


class Measurement(NamedTuple):
    """A module of `bench/` with its arguments, and the same for a quick run."""

    module: str
    arguments: str
    quick: str
    # The time limits in minutes.
    longest: int
    longest_quick: int


# To include another measurement, add it here.
MEASUREMENTS = [
    Measurement("rules", "", "", 2, 2),
    Measurement(
        "moves",
        "--scenarios idle,playing --rounds 5 --plot docs/images/moves.svg",
        "--scenarios idle,playing --quick --rounds 1",
        52,
        4,
    ),
    Measurement(
        "moves",
        "--scenarios thinking,watching --rounds 3",
        "--scenarios thinking,watching --quick --rounds 1",
        14,
        3,
    ),
    Measurement("sockets", "", "--rounds 2 --sockets 2000", 9, 3),
    Measurement("answers", "", "--rounds 1", 4, 2),
    Measurement("arrivals", "", "--rounds 1", 4, 2),
    Measurement("growth", "", "--rounds 5 --matches 40000", 9, 3),
    Measurement("computers", "", "--rounds 1", 5, 2),
    Measurement("solver", "", "", 4, 4),
    Measurement("pages", "", "", 4, 4),
]


def commit() -> str:
    """Return the commit's id, and whether something has changed since."""
    found = subprocess.run(
        ["git", "describe", "--always", "--abbrev=12", "--dirty=, with uncommitted changes"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )
    return found.stdout.strip()


def run(one: Measurement, *, quick: bool) -> str:
    """Run a measurement; return its section, with the reason if it failed."""
    arguments = one.quick if quick else one.arguments
    longest = 60 * (one.longest_quick if quick else one.longest)
    command = [sys.executable, "-m", f"bench.{one.module}", *arguments.split()]
    print(f"bench.{one.module}, at most {longest // 60} minutes …", file=sys.stderr)
    began = time.monotonic()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        # Unlike SIGKILL, SIGTERM lets it stop the servers that it started.
        try:
            text, _ = process.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            process.terminate()
            text, _ = process.communicate(timeout=60)
            text += f"\n**Stopped after {longest // 60} minutes.**\n"
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        text += f"\n**Failed with {process.returncode}.**\n"
    shown = f"python -m bench.{one.module} {arguments}".strip()
    took = f"It took {time.monotonic() - began:.0f} seconds."
    return f"## bench.{one.module}\n\n    {shown}\n\n{text.strip()}\n\n{took}\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [one.module for one in MEASUREMENTS]
    parser.add_argument("--quick", action="store_true", help="fewer systems and rounds")
    parser.add_argument("--only", help=f"some of {', '.join(names)}; default: all")
    parser.add_argument("--output", type=Path, default=ROOT / "var" / "measurements.md")
    chosen = parser.parse_args()
    wanted = chosen.only.split(",") if chosen.only else names
    if unknown := set(wanted) - set(names):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    stop_on_sigterm()
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with chosen.output.open("w") as output:
        print(f"# Measured on commit {commit()}, {now}\n", file=output, flush=True)
        for one in MEASUREMENTS:
            if one.module in wanted:
                print(run(one, quick=chosen.quick), file=output, flush=True)
    print(chosen.output.read_text())


if __name__ == "__main__":
    main()
