"""The secret key: from the environment, or generated once and kept in a file.

A key that others can guess lets them act as any guest, so `manage.py serve` refuses to start with
one. Commands that sign nothing work without a key.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from django.core.management.utils import get_random_secret_key

SHORTEST, LONGEST = 50, 4096
FEWEST_DIFFERENT = 8
# The example in deploy/numgames.env.
PLACEHOLDER = "fifty or more characters that nobody else knows"
HOW_TO_MAKE_ONE = "To make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"


class SecretKey(NamedTuple):
    """A key and what is wrong with it, if anything."""

    key: str
    problem: str = ""


def find(given: str | None, path: Path) -> SecretKey:
    """Return the key that was given or, if none was, the one in the file, made if necessary."""
    if given is not None:
        return judged(given, "NUMGAMES_SECRET_KEY", HOW_TO_MAKE_ONE)
    try:
        content = read_or_make(path)
    except OSError as error:
        return bad(f"The secret key in {path} can't be read: {error.strerror}.")
    try:
        key = content.decode()
    except UnicodeDecodeError:
        key = "\0"
    advice = "Restore it from your backup, or delete it: then a new one is made."
    if not key.strip().isprintable() or len(key) > LONGEST:
        return bad(f"{path} is not a secret key. {advice}")
    return judged(key, f"The secret key in {path}", advice)


def judged(key: str, name: str, advice: str) -> SecretKey:
    if not key.strip():
        return bad(f"{name} is empty. {advice}")
    if key == PLACEHOLDER:
        return bad(f"{name} is still the example's. {advice}")
    if len(key) < SHORTEST:
        return bad(f"{name} has {len(key)} characters, and needs at least {SHORTEST}. {advice}")
    if len(set(key)) < FEWEST_DIFFERENT:
        return bad(f"{name} has too few different characters. {advice}")
    return SecretKey(key)


def bad(problem: str) -> SecretKey:
    # Nothing is ever signed with this one, but Django needs some key.
    return SecretKey(get_random_secret_key(), problem)


def read_or_make(path: Path, make: Callable[[], str] = get_random_secret_key) -> bytes:
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(dir=path.parent)  # creates it with mode 600
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
        try:
            # If several processes start at once, the first link wins and all of them read that key.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    if path.exists() and not path.is_file():
        raise OSError(0, "It is not a file")
    with path.open("rb") as file:
        return file.read(LONGEST + 1)
