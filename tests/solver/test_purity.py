"""The solver stands alone."""

import subprocess
import sys


def test_the_solver_loads_nothing_but_python_the_rules_and_a_library_of_graphs():
    code = (
        "import sys; before = set(sys.modules); import games.solver;"
        "print(*(name.split('.')[0] for name in set(sys.modules) - before))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert set(output.split()) - set(sys.stdlib_module_names) <= {"games", "rustworkx", "numpy"}
