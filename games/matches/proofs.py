"""A small proof of work, for tokens that a network asks for above its limit.

A class of programmers behind one address is never locked out: each token costs a fraction of a
second of computing instead. `proof` fits `challenge` if the SHA-256 of both together begins with
`BITS` zero bits.
"""

import hashlib
import secrets
from threading import Lock

from django.core import signing

from games.refusals import Refusal
from games.sentences import PLAIN

BAD_PROOF = PLAIN(
    text="The proof is wrong, or its challenge has expired or was used. Ask for a new one."
)

# 2 ** 18 hashes take about 0.2 s in Python.
BITS = 18
VALID_FOR = 120
# How many used challenges we remember. With more than this in two minutes, the oldest could be used
# twice, which saves its owner the work for one token.
MOST_SPENT = 10_000

_spent: dict[str, None] = {}
_lock = Lock()


def new_challenge(network: str) -> str:
    """Return a challenge that only this network can answer, once."""
    return _signer(network).sign(secrets.token_urlsafe(9))


def require(challenge: str, proof: str, network: str) -> None:
    """Accept a proof, or raise a `Refusal`."""
    try:
        _signer(network).unsign(challenge, max_age=VALID_FOR)
    except signing.BadSignature as error:
        raise bad_proof() from error
    digest = hashlib.sha256((challenge + proof).encode()).digest()
    if int.from_bytes(digest) >> (256 - BITS):
        raise bad_proof()
    with _lock:
        if challenge in _spent:
            raise bad_proof()
        _spent[challenge] = None
        if len(_spent) > MOST_SPENT:
            del _spent[next(iter(_spent))]


def bad_proof() -> Refusal:
    return Refusal("bad_proof", BAD_PROOF)


def _signer(network: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(salt=f"numgames.proof {network}", sep=".")
