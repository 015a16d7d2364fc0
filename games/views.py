"""The pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.examples import first_state, replay
from games.rules import GAMES
from games.terminal import show


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"games": GAMES.values()})


def rules(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in GAMES:
        raise Http404
    context = {
        "game": GAMES[slug],
        "games": GAMES.values(),
        "start": show(slug, first_state(slug)),
        "example": [(entry, show(slug, entry.state)) for entry in replay(slug)],
    }
    return render(request, f"rules/{slug}.html", context)
