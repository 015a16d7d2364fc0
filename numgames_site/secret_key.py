"""The secret key of an installation: made once, kept in a file that only its owner reads."""

import os
import tempfile
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def read_or_make(path: Path) -> str:
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(dir=path.parent)  # made with mode 600
        with os.fdopen(descriptor, "w") as file:
            file.write(get_random_secret_key())
        try:
            # Of several processes that start at once, the first link wins and all read that key.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    return path.read_text()
