"""The log of actions on PostgreSQL. Django has one database per process, so another pytest runs."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.datastores import postgresql
from tests.serving import ROOT

FILES = (
    "tests/matches/on_postgresql.py",
    "tests/matches/test_action_log.py",
    "tests/guests/test_record.py",
    "tests/guests/test_subscriptions.py",
)


def test_actions_are_saved_on_postgresql_too():
    # If the tests run as root, PostgreSQL runs as another user, who can't open pytest's folders.
    with TemporaryDirectory() as folder, postgresql(Path(folder)) as url:
        done = subprocess.run(
            # The server is thrown away, so the test database need not be.
            [sys.executable, "-m", "pytest", "--reuse-db", "-p", "no:cacheprovider", *FILES],
            cwd=ROOT,
            env={**os.environ, "NUMGAMES_DATA": folder, "DATABASE_URL": url},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stdout + done.stderr
