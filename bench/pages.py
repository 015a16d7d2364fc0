"""Runs Lighthouse on the lobby, an invitation, a match and a rules page, with a simulated phone.

    python -m bench.pages [--reports FOLDER]

Serves the site like `make run`. Installs Lighthouse from npm into a folder that git ignores, in a
version that works with Node 20. Uses Debian's Chromium.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.pinned import ROOT
from bench.report import table
from bench.systems import install

FOLDER = ROOT / "bench" / "lighthouse"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
FIGURES = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest paint",
    "total-blocking-time": "blocked",
    "cumulative-layout-shift": "shift",
}
FLAGS = "--headless --no-sandbox --disable-gpu --disable-background-networking"


def judge(address: str, report: Path) -> dict[str, Any]:
    browser = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if browser is None:
        raise SystemExit("Lighthouse needs Chromium, which is not installed.")
    subprocess.run(
        [
            *(FOLDER / "node_modules/.bin/lighthouse", address, "--quiet"),
            *("--output=json", f"--output-path={report}", f"--chrome-flags={FLAGS}"),
        ],
        env={**os.environ, "CHROME_PATH": browser},
        check=True,
        timeout=180,
    )
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def row(name: str, found: dict[str, Any]) -> Sequence[str]:
    scores = (f"{100 * found['categories'][category]['score']:.0f}" for category in CATEGORIES)
    figures = (found["audits"][figure]["displayValue"] for figure in FIGURES)
    return [name, *scores, *figures]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=Path, help="folder to save the full reports in")
    chosen = parser.parse_args()
    install(FOLDER)
    serving: Any = import_module("tests.serving")
    client: Any = import_module("tests.live.client")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        reports = chosen.reports or folder
        reports.mkdir(parents=True, exist_ok=True)
        server = stack.enter_context(serving.serving(folder, NUMGAMES_LIMITS="off"))
        match_id, *_ = client.new_pair(server, "number-tower-duel")
        invitation = client.new_match(server, client.new_guest(server))
        pages = {
            "lobby": "/",
            "invitation": f"/m/{invitation}/",
            "match": f"/m/{match_id}/",
            "rules": "/rules/number-tower-duel/",
        }
        table(
            ["page", *CATEGORIES, *FIGURES.values()],
            [
                row(name, judge(server.http + path, reports / f"{name}.json"))
                for name, path in pages.items()
            ],
        )


if __name__ == "__main__":
    main()
