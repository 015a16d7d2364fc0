"""What a server says about itself at `/metrics/`."""

import re
import time

from tests.live.client import page


def metric(server, name):
    """Return the sum of all figures with this name."""
    text = page(server, "/metrics/")[1]
    return sum(map(float, re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)))


def await_no_sockets(server, seconds=30):
    """Wait until the server has noticed that everybody left."""
    until = time.monotonic() + seconds
    while metric(server, "numgames_sockets"):
        assert time.monotonic() < until, "The server keeps sockets."
        time.sleep(0.05)
