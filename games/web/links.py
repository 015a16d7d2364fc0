"""Links to matches that other devices can open, and their QR codes."""

from functools import lru_cache

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext


def shareable(request: HttpRequest, path: str) -> str:
    """Return a page's address for a friend's device, where `localhost` wouldn't work."""
    host, port = split_domain_port(request.get_host())
    if host in ("localhost", "127.0.0.1", "[::1]") and settings.LAN_ADDRESS:
        host = settings.LAN_ADDRESS
    address = f"{host}:{port}" if port else host
    return f"{request.scheme}://{address}{path}"


def qr_code(url: str, *, is_secret: bool = False) -> SafeString:
    """Return the link as an SVG picture. segno escapes what it writes. Secrets aren't cached."""
    title = gettext("QR code of the link")
    picture = qr_picture.__wrapped__(url) if is_secret else qr_picture(url)
    tag, _, rest = picture.partition(">")
    return mark_safe(f"{tag}><title>{escape(title)}</title>{rest}")


@lru_cache(maxsize=256)
def qr_picture(url: str) -> str:
    """Draw the picture without its title. This takes two milliseconds."""
    picture: str = segno.make(url, micro=False).svg_inline(
        omitsize=True, border=3, dark="#000", light="#fff"
    )
    return picture
