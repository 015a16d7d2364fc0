"""Runs the scripts' unit tests with Node."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_the_scripts_unit_tests_pass():
    node = shutil.which("node")
    if node is None:
        message = "Node is not installed, so the scripts' unit tests can't run."
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    tests = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.mjs"))
    assert tests
    done = subprocess.run(
        [node, "--test", *tests], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "# fail 0" in done.stdout or "ℹ fail 0" in done.stdout
