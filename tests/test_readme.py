"""What the README shows is what happens."""

import doctest
from pathlib import Path


def test_the_readme_runs():
    readme = Path(__file__).parent.parent / "README.md"
    results = doctest.testfile(str(readme), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
