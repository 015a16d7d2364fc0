"""The page with a guest's record: figures for each game, and a chart of the last weeks."""

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_from_request, gettext, override
from django.utils.translation import gettext_noop as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.catalogue import KITS
from games.guests import record
from games.guests.record import Week
from games.guests.tallies import PEOPLE
from games.solver import LEVELS
from games.web import actions
from games.web.in_loop import in_loop
from games.web.outlines import page
from games.words.translation import say

# How many weeks the chart shows, and its size in units of its own.
WEEKS = 26
BAR, HEIGHT = 10, 60

PERCENT = _("{number}%")
NOT_YET = "–"


def read_figures(request: HttpRequest) -> SafeString:
    """Return what a guest's page shows. Rendered here, in a thread, because the event loop may not
    take that long."""
    guest = actions.me_if_any(request)
    found = record.record_of(guest.pk) if guest else {}
    weeks = record.weeks_of(guest.pk, timezone.now(), WEEKS) if guest and found else []
    with override(get_language_from_request(request)):
        context = {
            "games": [shown_game(slug, figures) for slug, figures in found.items()],
            "chart": chart(weeks) if weeks else None,
        }
        return mark_safe(loader.render_to_string("me/figures.html", context))


@require_safe
@never_cache
@in_loop(read_figures)
def show(request: HttpRequest, figures: SafeString) -> HttpResponse:
    """Show a guest's record. Nobody else can see it."""
    response = page(request, "me/record.html", gaps={"figures": figures})
    actions.remember_guest(request, response)
    return response


def shown_game(slug: str, figures: dict[str, Any]) -> dict[str, Any]:
    level = figures["best_level"]
    return {
        "kit": KITS[slug],
        **shown(figures),
        "best_level": say(LEVELS[level].name) if level else NOT_YET,
        "kinds": [
            {"name": name_of(kind), **shown(of_kind), "run": of_kind["run"]}
            for kind, of_kind in figures["kinds"].items()
        ],
    }


def shown(figures: dict[str, Any]) -> dict[str, Any]:
    return {
        "played": figures["played"],
        "won": figures["won"],
        "win_rate": percent(figures["win_rate"]),
        "longest_run": figures["longest_run"],
        "accuracy": percent(figures["accuracy"]),
    }


def name_of(kind: str) -> str:
    return gettext("People") if kind == PEOPLE else say(LEVELS[kind].computer)


def percent(number: int | None) -> str:
    return NOT_YET if number is None else gettext(PERCENT).format(number=number)


def chart(weeks: list[Week]) -> dict[str, Any]:
    """Return the bars of the chart, and what it says in words."""
    most = max(weeks, key=lambda week: week.played)
    unit = HEIGHT / most.played
    return {
        "width": BAR * len(weeks),
        "height": HEIGHT,
        "bars": [
            {
                "x": BAR * place + 1,
                "width": BAR - 2,
                "played": round(unit * week.played, 1),
                "played_y": round(HEIGHT - unit * week.played, 1),
                "won": round(unit * week.won, 1),
                "won_y": round(HEIGHT - unit * week.won, 1),
            }
            for place, week in enumerate(weeks)
            if week.played
        ],
        "weeks": [
            {"monday": day(week.monday), "played": week.played, "won": week.won}
            for week in reversed(weeks)
            if week.played
        ],
        "first": day(weeks[0].monday),
        "last": day(weeks[-1].monday),
        "count": len(weeks),
        "played": sum(week.played for week in weeks),
        "won": sum(week.won for week in weeks),
        "most": most.played,
    }


def day(when: date) -> str:
    return date_format(when, "MONTH_DAY_FORMAT")
