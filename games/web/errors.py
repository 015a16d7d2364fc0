"""Answers to what can't be done: a page for people, and below /api/ JSON for programs."""

import logging
import math
from typing import Any

import msgspec
from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.live import protocol
from games.live.metrics import REJECTED
from games.matches.database import AWAY, first_line
from games.refusals import Refusal
from games.sentences import PLAIN, Template
from games.sentences import gettext_noop as _
from games.web import actions
from games.web.outlines import page
from games.words.translation import say

logger = logging.getLogger(__name__)

BAD_REQUEST = Template(_("That request couldn't be understood."))
TOO_LARGE = Template(_("That was too much at once. Send less."))
FORBIDDEN = Template(_("You can't do that here."))
FORM_EXPIRED = Template(
    _("This page was open for too long, or your browser blocks cookies. Go back and try again.")
)
DATABASE_AWAY = Template(
    _("The site can't reach its database right now. Nothing is lost: try again in a moment.")
)
SERVER_ERROR = Template(_("Something went wrong on our side. Try again in a moment."))
BAD_HOST = PLAIN(text="This site has another name. Check the Host header.")
NO_ADDRESS = PLAIN(text="There is nothing at this address. Addresses of the API end with a slash.")

API = "/api/"

# Seconds to wait before trying again, by status, if the refusal doesn't know.
USUAL_WAIT = {429: 60, 503: 2}


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Return the answer to a request that is refused, and count it."""
    shown = refused_json if is_for_api(request) else refused_page
    response = shown(request, refusal)
    REJECTED.labels(refusal.code).inc()
    if refusal.status in USUAL_WAIT:
        seconds = refusal.retry_after or USUAL_WAIT[refusal.status]
        response["Retry-After"] = str(math.ceil(seconds))
    # Strangers cause refusals, so they are counted, not logged. Only an error of ours is logged.
    response._has_been_logged = refusal.status != 500  # type: ignore[attr-defined]
    actions.remember_guest(request, response)
    return response


def is_for_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API)


def refused_page(request: HttpRequest | None, refusal: Refusal) -> HttpResponse:
    """Return a page with the refusal's sentence in the reader's language."""
    gaps = {"text": say(refusal.text)}
    return page(request, "refused.html", gaps=gaps, status=refusal.status)


def refused_json(request: HttpRequest | None, refusal: Refusal) -> HttpResponse:
    return as_json(protocol.refused(refusal), refusal.status)


def as_json(data: dict[str, Any], status: int = 200) -> HttpResponse:
    return HttpResponse(
        msgspec.json.encode(data, enc_hook=str),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def unreadable(path: str) -> HttpResponse:
    """Return the answer to what isn't even a request to Django."""
    shown = refused_json if path.startswith(API) else refused_page
    return shown(None, Refusal("malformed", BAD_REQUEST()))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return refused(request, Refusal("too_large", TOO_LARGE(), 413))
    if isinstance(exception, DisallowedHost):
        return refused(request, Refusal("bad_host", BAD_HOST))
    return refused(request, Refusal("malformed", BAD_REQUEST()))


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refused(request, Refusal("forbidden", FORBIDDEN(), 403))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return refused(request, Refusal("no_identity", FORM_EXPIRED(), 403))


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if is_for_api(request):
        return refused(request, Refusal("no_such_address", NO_ADDRESS, 404))
    return page(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    if is_for_api(request):
        return refused(request, Refusal("server_error", SERVER_ERROR(), 500))
    return page(request, "500.html", status=500)


class UnavailableMiddleware(MiddlewareMixin):
    """Answers with status 503 and a clear message when the database can't be reached."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AWAY):
            return None
        logger.warning("The database is away: %s", first_line(error))
        return refused(request, Refusal("unavailable", DATABASE_AWAY(), 503))
