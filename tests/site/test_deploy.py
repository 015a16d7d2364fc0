"""The documented production settings."""

import os
import subprocess
import sys

from tests.serving import ROOT


def test_check_deploy_gives_no_warnings(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            **os.environ,
            "NUMGAMES_DATA": str(tmp_path),
            "NUMGAMES_HTTPS": "1",
            "NUMGAMES_HOSTS": "play.example",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_the_migrations_are_complete(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=ROOT,
        env={**os.environ, "NUMGAMES_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout
