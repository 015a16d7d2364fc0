"""Who a guest is: one signed token, in a cookie for browsers, as a bearer for programs."""

from django.core import signing

COOKIE = "guest"
# A guest who stays away longer than this starts anew; acting with a cookie renews it.
MAX_AGE = 400 * 24 * 60 * 60

# A dot between its parts, because a websocket's subprotocol may not have a colon in it.
_SIGNER = signing.TimestampSigner(salt="numgames.guest", sep=".")


def token_for(guest_id: int) -> str:
    return _SIGNER.sign(str(guest_id))


def guest_id_from(token: str) -> int | None:
    """The guest who holds this token; None if it is not genuine or too old."""
    try:
        return int(_SIGNER.unsign(token, max_age=MAX_AGE))
    except signing.BadSignature:
        return None


def bearer_token(header: str) -> str | None:
    """The token of an `Authorization` header."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
