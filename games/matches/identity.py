"""Guests' ids and signed tokens. Browsers send them in a cookie, programs in a bearer header."""

import secrets

from django.core import signing

COOKIE = "guest"
# A token expires after this long. A browser's cookie is renewed with every action.
MAX_AGE = 400 * 24 * 60 * 60

# Ours have about 70 characters. Longer ones are not worth checking a signature.
LONGEST_TOKEN = 100
# The longest of our cookies is the token's. Some versions of Python take a tenth of a second to
# parse a quoted cookie of 16 KB.
LONGEST_COOKIE = LONGEST_TOKEN + 20

# Parts are separated by a dot, because a websocket subprotocol must not contain a colon.
_SIGNER = signing.TimestampSigner(salt="numgames.guest", sep=".")


def new_guest_id() -> int:
    """Return a random id: a guest needs no row to have one.

    With 61 random bits, nobody comes across another guest's id by asking for many. Ids from
    earlier versions are small, so a new one never equals them.
    """
    return 1 << 61 | secrets.randbits(61)


def token_for(guest_id: int) -> str:
    return _SIGNER.sign(str(guest_id))


def guest_id_from(token: str) -> int | None:
    """Return the id of the guest with this token; None if it is forged or has expired."""
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    try:
        return int(_SIGNER.unsign(token, max_age=MAX_AGE))
    except signing.BadSignature:
        return None


def bearer_token(header: str) -> str | None:
    """Return the token in an `Authorization` header, if there is one."""
    scheme, _, token = header[: len("bearer ") + LONGEST_TOKEN + 1].partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def short_cookies(header: str) -> str:
    """Return a `Cookie` header without those that are too long to be ours."""
    return ";".join(cookie for cookie in header.split(";") if len(cookie) <= LONGEST_COOKIE)
