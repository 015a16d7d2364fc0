"""Generates the secret key once and keeps it in a file that only its owner can read."""

import os
import tempfile
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def read_or_make(path: Path) -> str:
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(dir=path.parent)  # creates it with mode 600
        with os.fdopen(descriptor, "w") as file:
            file.write(get_random_secret_key())
        try:
            # If several processes start at once, the first link wins and all of them read that key.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    return path.read_text()
