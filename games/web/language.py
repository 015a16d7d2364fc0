"""Choose the language of a page: the person's choice, or else the browser's."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers

# Other responses don't depend on the language, so caches may share them.
TRANSLATED = ("text/html", "application/manifest+json")


class LanguageMiddleware(LocaleMiddleware):
    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(TRANSLATED):
            return response
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)
