"""Where we post web push messages: only to push services we know, never into a private network.

A subscription is what a stranger sends us, and its endpoint is an address that this server then
connects to. So an endpoint must be an HTTPS address of one of `settings.PUSH_HOSTS`. And because a
name can lead anywhere, the addresses it stands for are checked again when we connect, and we
connect to exactly those (games/live/posting.py).
"""

from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

LONGEST = 1000


def is_known(endpoint: str) -> bool:
    """Return whether we may post to this endpoint, as far as its text tells."""
    # Python's parser drops line breaks and tabs, and others may read the rest differently.
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable():
        return False
    if any(character in endpoint for character in ' \\"<>^`{|}#'):
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if is_test_service(parts):
        return True
    return (
        parts.scheme == "https"
        and "@" not in parts.netloc
        and port in (None, 443)
        and parts.path.startswith("/")
        and is_known_host(parts.hostname or "")
    )


def is_known_host(host: str) -> bool:
    return any(host == known or host.endswith(f".{known}") for known in settings.PUSH_HOSTS)


def is_test_service(parts: SplitResult) -> bool:
    service = settings.PUSH_TEST_SERVICE
    return bool(service) and f"{parts.scheme}://{parts.netloc}" == service


def origin_of(endpoint: str) -> str:
    """Return the part of an endpoint that names the service."""
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}".removesuffix(":443")


def is_public(address: str) -> bool:
    """Return whether an address is in the public internet, also if it is an IPv4 one in disguise.

    NAT64, 6to4 and Teredo have IPv4 addresses inside, which may be private ones.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        inside = parsed.ipv4_mapped or parsed.sixtofour
        if inside is not None:
            return is_public(str(inside))
        if parsed.teredo is not None or parsed.packed[:12] == NAT64:
            return False
    return parsed.is_global and not parsed.is_multicast


NAT64 = IPv6Address("64:ff9b::").packed[:12]
