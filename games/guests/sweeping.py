"""Delete expired links and tokens, and finish what a process that died has left, in small steps."""

from collections.abc import Iterator
from datetime import datetime

from games.guests import device_links, devices, leaving


def steps(now: datetime) -> Iterator[int]:
    """Do one small step after the other. Several processes may do this at the same time."""
    for delete_some in (device_links.delete_expired, devices.delete_expired_tokens):
        while deleted := delete_some():
            yield deleted
    for guest in leaving.unfinished(now):
        for changed in leaving.steps(guest):
            yield len(changed)
