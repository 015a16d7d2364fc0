"""Decides whether our own page opened a websocket. Other sites must not act for our guests."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host


def is_own_origin(headers: dict[bytes, str]) -> bool:
    """Return whether a handshake with these headers is for us and comes from us, or a program."""
    host = headers.get(b"host", "")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    origin = headers.get(b"origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        page = urlsplit(origin)
    except ValueError:
        return False
    return page.netloc.lower() == host.lower() and (page.scheme == "https" or not settings.HTTPS)
