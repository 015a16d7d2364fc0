"""Makes the site installable as an app: the manifest, service worker and offline page."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.catalogue import KITS
from games.pictures.palette import COLOURS
from games.rules import GAMES
from games.web.in_loop import in_loop
from games.web.outlines import page


@require_safe
@in_loop()
def manifest(request: HttpRequest) -> HttpResponse:
    icons = [
        {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {
                "src": reverse("icon", args=[size, kind]),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": kind,
            }
            for size, kind in ((192, "any"), (512, "any"), (512, "maskable"))
        ),
    ]
    data = {
        "id": reverse("home"),
        "name": "Numgames",
        "short_name": "Numgames",
        "description": gettext("Quick number duels for two players."),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": COLOURS["ground"],
        "theme_color": COLOURS["ground"],
        "categories": ["games", "education"],
        "icons": icons,
        "shortcuts": [
            {"name": game.name, "url": reverse("rules", args=[slug])}
            for slug, game in GAMES.items()
        ],
    }
    return JsonResponse(data, content_type="application/manifest+json")


@require_safe
@never_cache
@in_loop()
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve from the root, because a service worker controls only pages below its own URL."""
    return page(request, "service-worker.js", all_games, content_type="text/javascript")


def all_games() -> dict[str, Any]:
    return {"kits": KITS.values()}


@require_safe
@in_loop()
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker stores for when there is no network."""
    return page(request, "offline.html")
