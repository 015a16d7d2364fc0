"""Error pages."""

import logging

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from games.live import protocol
from games.matches.database import AWAY, first_line
from games.refusals import Refusal
from games.sentences import Sentence, Template
from games.sentences import gettext_noop as _
from games.words.translation import say

logger = logging.getLogger(__name__)

BAD_REQUEST = Template(_("That request couldn't be understood."))
FORBIDDEN = Template(_("You can't do that here."))
FORM_EXPIRED = Template(
    _("This page was open for too long, or your browser blocks cookies. Go back and try again.")
)
DATABASE_AWAY = Template(
    _("The site can't reach its database right now. Nothing is lost: try again in a moment.")
)


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Return the page for a refusal."""
    return error_page(request, refusal.text, refusal.status)


def error_page(request: HttpRequest, sentence: Sentence, status: int) -> HttpResponse:
    """Return a page with one sentence in the reader's language."""
    return render(request, "refused.html", {"text": say(sentence)}, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return error_page(request, BAD_REQUEST(), 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return error_page(request, FORBIDDEN(), 403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return error_page(request, FORM_EXPIRED(), 403)


class UnavailableMiddleware(MiddlewareMixin):
    """Answers with status 503 and a clear message when the database can't be reached."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AWAY):
            return None
        logger.warning("The database is away: %s", first_line(error))
        refusal = Refusal("unavailable", DATABASE_AWAY(), 503)
        if request.path.startswith("/api/"):
            content = msgspec.json.encode(protocol.refused(refusal))
            response = HttpResponse(content, content_type="application/json", status=503)
        else:
            response = refused(request, refusal)
        response["Retry-After"] = "2"
        # We logged it above; Django's own log line would say less.
        response._has_been_logged = True  # type: ignore[attr-defined]
        return response
