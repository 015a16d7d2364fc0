"""A guest's matches: the page `/me/`, and the same for programs."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.catalogue import KITS
from games.guests import history
from games.guests.history import Page, Standing
from games.live.agenda import entry
from games.refusals import Refusal
from games.sentences import PLAIN
from games.web import actions
from games.web.in_loop import in_loop
from games.web.links import shareable
from games.web.outlines import as_script, page

BAD_STATUS = PLAIN(text=f"The status must be one of {', '.join(Standing)}.")


class Asked(NamedTuple):
    """A guest, and the page of their matches that they ask for."""

    guest_id: int
    page: Page


def read_matches(request: HttpRequest) -> Asked:
    guest_id = actions.me(request).pk
    status = request.GET.get("status")
    if status is not None and status not in list(Standing):
        raise Refusal("bad_query", BAD_STATUS)
    before = request.GET.get("before")
    page = history.page(guest_id, Standing(status) if status else None, before)
    return Asked(guest_id, page)


@in_loop(read_matches)
def list_matches(request: HttpRequest, asked: Asked) -> dict[str, Any]:
    return {
        "matches": [
            {**one, "url": request.build_absolute_uri(one["url"])}
            for one in (entry(loaded, asked.guest_id) for loaded in asked.page.matches)
        ],
        "next": next_page(request, asked.page),
    }


def next_page(request: HttpRequest, found: Page) -> str | None:
    if found.before is None:
        return None
    status = request.GET.get("status")
    asked = {**({"status": status} if status else {}), "before": found.before}
    return request.build_absolute_uri(f"{request.path}?{urlencode(asked)}")


def read_own(request: HttpRequest) -> dict[str, Any] | None:
    """Read what `/me/` shows; None for somebody who hasn't played yet."""
    guest = actions.me_if_any(request)
    if guest is None:
        return None
    guest_id = guest.pk
    going_on = history.current(guest_id)
    shown = history.load([one.id for one in going_on[: history.MOST_SHOWN]])
    over = history.page(guest_id, Standing.FINISHED)
    address = f"/api/me/matches/?status=finished&before={over.before}"
    return {
        "your_turn": sum(one.standing == Standing.YOUR_TURN for one in going_on),
        "matches": [entry(loaded, guest_id) for loaded in (*shown, *over.matches)],
        "next": address if over.before else None,
    }


@require_safe
@never_cache
@ensure_csrf_cookie
@in_loop(read_own)
def matches(request: HttpRequest, own: dict[str, Any] | None) -> HttpResponse:
    """Show a guest's matches. The page keeps them up to date through `/ws/me/`."""
    nothing = {"your_turn": 0, "matches": [], "next": None}
    gaps = {"own": as_script(own or nothing, "own"), "origin": shareable(request, "/")}
    response = page(request, "me/matches.html", about_matches, gaps=gaps)
    actions.remember_guest(request, response)
    return response


def about_matches() -> dict[str, Any]:
    return {"kits": KITS.values()}
