"""Requests as our pages and API read them: less than Django reads, and nothing without a bound."""

from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import parse_cookie
from django.http.multipartparser import MultiPartParserError
from django.utils.functional import cached_property

from games.matches import identity

# No name of a host is longer (RFC 1035), and a port has up to five digits.
LONGEST_HOST = 253 + len(":65535")


class Request(ASGIRequest):
    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Take the bare type of the content. Everything we read is UTF-8.

        Python would keep the name of every charset it was ever asked for, known or not.
        """
        self.content_type = str(meta.get("CONTENT_TYPE", "")).partition(";")[0].strip().lower()
        self.content_params = {}

    def parse_file_upload(self, *_: Any) -> Any:
        """Refuse files: no form of ours sends any, and parsing them would be for attackers only."""
        raise MultiPartParserError

    def _get_raw_host(self) -> str:
        host: str = super()._get_raw_host()  # type: ignore[misc]
        # Django refuses an empty name like any other that isn't ours.
        return host if len(host) <= LONGEST_HOST else ""

    @cached_property
    def COOKIES(self) -> dict[str, str]:  # type: ignore[override]  # noqa: N802
        return parse_cookie(identity.short_cookies(self.META.get("HTTP_COOKIE", "")))
