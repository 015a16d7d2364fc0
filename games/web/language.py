"""Which language a page is in: what the person has chosen, or else what the browser asks for."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers

# Pictures and answers to programs are the same for everyone, and caches may know that.
TRANSLATED = ("text/html", "application/manifest+json")


class LanguageMiddleware(LocaleMiddleware):
    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(TRANSLATED):
            return response
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)
