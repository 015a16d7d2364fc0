"""Secrets are stored as keyed hashes: nobody can use or guess them from a copy of the database."""

from django.utils.crypto import salted_hmac


def keyed_hash(kind: str, secret: str) -> str:
    """Return what is stored of a secret. Without our secret key, nobody can compute it.

    It is looked up as a whole. How long that takes says something about the hash, which is of no
    use, and nothing about the secret.
    """
    return salted_hmac(f"numgames.{kind}", secret, algorithm="sha256").hexdigest()
