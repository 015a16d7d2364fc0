"""Guests' ids and signed tokens. Browsers send them in a cookie, programs in a bearer header."""

import secrets
from typing import NamedTuple

from django.core import signing

from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _

SIGNED_OUT = Template(_("You were signed out here. Reload the page to continue."))

COOKIE = "guest"
# A token expires after this long. A browser's cookie is renewed with every action.
MAX_AGE = 400 * 24 * 60 * 60

# Devices of a guest are numbered from 0 to 62: each has a bit in `Guest.signed_out`.
MOST_DEVICES = 63

# Ours have about 70 characters. Longer ones are not worth checking a signature.
LONGEST_TOKEN = 100
# The longest of our cookies is the token's. Some versions of Python take a tenth of a second to
# parse a quoted cookie of 16 KB.
LONGEST_COOKIE = LONGEST_TOKEN + 20

# Parts are separated by a dot, because a websocket subprotocol must not contain a colon.
_SIGNER = signing.TimestampSigner(salt="numgames.guest", sep=".")
# For all devices of a guest but the first. Versions without devices then refuse these tokens.
_DEVICE_SIGNER = signing.TimestampSigner(salt="numgames.device", sep=".")


def new_guest_id() -> int:
    """Return a random id: a guest needs no row to have one.

    With 61 random bits, nobody comes across another guest's id by asking for many. Ids from
    earlier versions are small, so a new one never equals them.
    """
    return 1 << 61 | secrets.randbits(61)


class Who(NamedTuple):
    """A guest, and which of their devices this is. The first one has the number 0."""

    guest_id: int
    device: int = 0


class SignedOut(Refusal):
    """This device's token is no longer valid."""

    def __init__(self) -> None:
        super().__init__("bad_token", SIGNED_OUT(), 401)


def token_for(guest_id: int, device: int = 0) -> str:
    # The first device's token has no number, as all tokens once did.
    return _DEVICE_SIGNER.sign(f"{guest_id}-{device}") if device else _SIGNER.sign(str(guest_id))


def who_from(token: str) -> Who | None:
    """Return the guest and the device with this token; None if it is forged or has expired.

    Whether the device was signed out is in the guest's row (`Guest.is_signed_out`).
    """
    if len(token) > LONGEST_TOKEN or not token.isascii():
        return None
    signer = _DEVICE_SIGNER if "-" in token.partition(".")[0] else _SIGNER
    try:
        guest_id, _dash, device = signer.unsign(token, max_age=MAX_AGE).partition("-")
        return Who(int(guest_id), int(device or 0))
    except signing.BadSignature:
        return None


def guest_id_from(token: str) -> int | None:
    """Return only the id of the guest with this token."""
    who = who_from(token)
    return who.guest_id if who else None


def bearer_token(header: str) -> str | None:
    """Return the token in an `Authorization` header, if there is one."""
    scheme, _space, token = header[: len("bearer ") + LONGEST_TOKEN + 1].partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def short_cookies(header: str) -> str:
    """Return a `Cookie` header without those that are too long to be ours."""
    return ";".join(cookie for cookie in header.split(";") if len(cookie) <= LONGEST_COOKIE)
