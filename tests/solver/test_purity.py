"""The solver is pure Python."""

import subprocess
import sys


def test_the_solver_imports_only_the_standard_library_the_rules_and_a_graph_library():
    code = (
        "import sys; before = set(sys.modules); import games.solver;"
        "print(*(name.split('.')[0] for name in set(sys.modules) - before))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert set(output.split()) - set(sys.stdlib_module_names) <= {"games", "rustworkx", "numpy"}
