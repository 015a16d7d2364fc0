"""When the database does not answer: a sentence with status 503, in place of a traceback."""

import logging

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.matches.database import AWAY, first_line
from games.web.views import refused
from games.words.phrases import translated

logger = logging.getLogger(__name__)

TEXT = "The site cannot reach its memory just now. Nothing is lost: try again in a moment."


class UnavailableMiddleware(MiddlewareMixin):
    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AWAY):
            return None
        logger.warning("The database is away: %s", first_line(error))
        if request.path.startswith("/api/"):
            content = msgspec.json.encode({"code": "unavailable", "text": TEXT})
            response = HttpResponse(content, content_type="application/json", status=503)
        else:
            response = refused(request, translated(TEXT), 503)
        response["Retry-After"] = "2"
        # By the line above: Django would add one that says less.
        response._has_been_logged = True  # type: ignore[attr-defined]
        return response
