"""The real server as a process of its own, on a free port and a data folder of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


@contextmanager
def serving(data: Path, port: int = 0) -> Iterator[str]:
    """Serve on 127.0.0.1 as `make run` does; gives the address, and checks the log at the end."""
    log = data / "server.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, "NUMGAMES_DATA": str(data)},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", first)
        assert found, first + log.read_text()
        try:
            yield f"http://127.0.0.1:{found[1]}"
        finally:
            process.terminate()
            process.communicate(timeout=30)
    assert log.read_text() == ""
