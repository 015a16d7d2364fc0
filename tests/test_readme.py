"""The examples in the README work."""

import doctest
from pathlib import Path


def test_the_examples_in_the_readme_work():
    readme = Path(__file__).parent.parent / "README.md"
    results = doctest.testfile(str(readme), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
