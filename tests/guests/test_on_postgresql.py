"""Devices, merging and leaving on PostgreSQL, where writers really run side by side."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.datastores import postgresql
from tests.serving import ROOT

FILES = [
    f"tests/guests/test_{name}.py" for name in ("arrivals", "data", "devices", "leaving", "merging")
]


def test_everything_about_guests_works_on_postgresql_too():
    # If the tests run as root, PostgreSQL runs as another user, who can't open pytest's folders.
    with TemporaryDirectory() as folder, postgresql(Path(folder)) as url:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "--reuse-db", "-p", "no:cacheprovider", *FILES],
            cwd=ROOT,
            env={**os.environ, "NUMGAMES_DATA": folder, "DATABASE_URL": url},
            capture_output=True,
            text=True,
            timeout=180,
        )
    assert done.returncode == 0, done.stdout + done.stderr
