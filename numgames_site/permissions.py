"""File permissions, whatever the umask: only the owner can read our files, except static ones."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def make_folder(path: Path) -> None:
    """Make a folder that a web server may look into, unless it is there already."""
    if not path.exists():
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)


def make_private(path: Path) -> None:
    """Make a file that only its owner can read, or tighten it if an earlier version made it."""
    path.touch(mode=0o600)
    tighten(path)


def tighten(path: Path) -> None:
    if path.exists() and path.stat().st_mode & 0o077:
        path.chmod(0o600)


@contextlib.contextmanager
def readable_by_all() -> Iterator[None]:
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)
