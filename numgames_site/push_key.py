"""The private key that signs what we post to push services (VAPID, RFC 8292).

It is generated once and kept in a file beside the secret key. Processes on several machines share
their secret key through the environment, so there it follows from that one. If the key changes,
every subscription becomes invalid, and people have to tap *Tell me* again.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
from pathlib import Path
from typing import NamedTuple

from numgames_site import secret_key

# A private key of the curve P-256 is a number below this, as 32 bytes.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
LENGTH = 43  # in base64url
ADVICE = "Restore it from your backup, or delete it: then a new one is made."


class PushKey(NamedTuple):
    """A private key in base64url and what is wrong with it, if anything."""

    key: str
    problem: str = ""


def find(given: str | None, given_secret_key: str | None, path: Path) -> PushKey:
    """Return the key that was given, else the one that follows from a given secret key, else the
    one in the file, made if necessary."""
    if given is not None:
        advice = f"It needs {LENGTH} characters of base64url: 32 bytes."
        return judged(given, "NUMGAMES_PUSH_KEY", advice)
    if given_secret_key is not None:
        return PushKey(derived(given_secret_key))
    try:
        content = secret_key.read_or_make(path, make)
    except OSError as error:
        return PushKey(make(), f"The push key in {path} can't be read: {error.strerror}.")
    return judged(content.decode("ascii", "replace").strip(), str(path), ADVICE)


def judged(key: str, name: str, advice: str) -> PushKey:
    if is_key(key):
        return PushKey(key)
    # Nothing is ever signed with this one.
    return PushKey(make(), f"{name} is not a push key. {advice}")


def is_key(text: str) -> bool:
    try:
        raw = base64.urlsafe_b64decode(text + "=" if len(text) == LENGTH else "")
    except (binascii.Error, ValueError):
        return False
    return len(raw) == 32 and 0 < int.from_bytes(raw) < ORDER


def make() -> str:
    """Return a new key."""
    return encoded(1 + secrets.randbelow(ORDER - 1))


def derived(from_secret_key: str) -> str:
    """Return the key that follows from a secret key, the same on every machine."""
    digest = hmac.digest(from_secret_key.encode(), b"numgames push key", hashlib.sha512)
    return encoded(1 + int.from_bytes(digest) % (ORDER - 1))


def encoded(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")
