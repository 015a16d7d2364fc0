"""Shows what the parts of a page cost, one by one, in this process and without a server.

python -m bench.page_costs
"""

import asyncio
import gc
import gzip
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any
from unittest import mock

import django
from django.core.management import call_command

from bench.pinned import SERVER_CORE, stay_on
from bench.report import table

TIMES = 200


def took(what: Callable[[], object]) -> float:
    """Return the microseconds that something takes, on average."""
    what()
    began = time.perf_counter()
    for _ in range(TIMES):
        what()
    return 1e6 * (time.perf_counter() - began) / TIMES


async def took_waiting(what: Callable[[], Awaitable[object]]) -> float:
    await what()
    began = time.perf_counter()
    for _ in range(TIMES):
        await what()
    return 1e6 * (time.perf_counter() - began) / TIMES


def collector_in(what: Callable[[], object]) -> float:
    """Return the microseconds that the garbage collector takes while something happens."""
    spent = 0.0

    def note(phase: str, _: object) -> None:
        nonlocal spent
        spent += time.perf_counter() if phase == "stop" else -time.perf_counter()

    gc.callbacks.append(note)
    try:
        for _ in range(TIMES):
            what()
    finally:
        gc.callbacks.remove(note)
    return 1e6 * spent / TIMES


def took_in(what: Callable[[], object], *functions: tuple[Any, str]) -> float:
    """Return the microseconds that these functions take when something calls them."""
    spent = 0.0

    def timed(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal spent
            began = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                spent += time.perf_counter() - began

        return call

    what()
    with ExitStack() as stack:
        for owner, name in functions:
            stack.enter_context(mock.patch.object(owner, name, timed(getattr(owner, name))))
        for _ in range(TIMES):
            what()
    return 1e6 * spent / TIMES


async def measure() -> dict[str, float]:
    from asgiref.sync import ThreadSensitiveContext, sync_to_async
    from django.core.handlers.asgi import ASGIHandler
    from django.db import connection
    from django.middleware.csrf import get_token
    from django.template import loader
    from django.templatetags.i18n import BlockTranslateNode, TranslateNode
    from django.templatetags.static import StaticNode
    from django.test import RequestFactory

    from games.matches import database, selectors
    from games.templatetags import scripts
    from games.web import links, outlines, views
    from numgames_site.pages import PagesHandler

    match_id = await asyncio.to_thread(new_match)
    gaps = {
        **dict.fromkeys(("link", "picture", "qr_code", "inviter", "name_1", "name_2"), "x"),
        **dict.fromkeys(("inviter_shown", "chosen_name", "generated_name"), "x"),
        "match_id": match_id,
        "snapshot": "",
    }
    shown = views.Shown("number-tower-duel", "live", False, False, False, True, False)

    def match_page() -> str:
        return loader.render_to_string("match.html", {**shown.context(), **gaps})

    def lobby() -> str:
        return loader.render_to_string("home.html", {**views.all_games(), **gaps})

    def kept_match_page() -> object:
        return outlines.page(new_request(), "match.html", views.Shown.context, shown, gaps=gaps)

    def new_request() -> Any:
        return RequestFactory().get("/")

    class Django(ASGIHandler):
        create_request = PagesHandler.create_request

    async def handed_over() -> None:
        await database.read(lambda: None)

    async def in_new_thread() -> None:
        async with ThreadSensitiveContext():
            await sync_to_async(lambda: None)()

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/offline/",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }

    async def receive() -> dict[str, Any]:
        if received:
            return received.pop()
        await asyncio.Future()
        raise AssertionError

    async def send(message: object) -> None:
        pass

    received: list[dict[str, Any]] = []

    async def through(handler: Any) -> None:
        received[:] = [{"type": "http.request"}]
        await handler(dict(scope), receive, send)

    def connect() -> None:
        connection.close()
        connection.connect()

    page = lobby().encode()
    translated = ((TranslateNode, "render"), (BlockTranslateNode, "render"))
    static_names = ((StaticNode, "render"), (scripts, "static"))
    making_a_request = took(new_request)
    # As in a server.
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 20)
    ordinary, pages = Django(), PagesHandler()
    return {
        "rendering the lobby": took(lobby),
        "– its translated texts": took_in(lobby, *translated),
        "– its names of static files": took_in(lobby, *static_names),
        "– the garbage collector": collector_in(lobby),
        "rendering a match's page": took(match_page),
        "– its translated texts ": took_in(match_page, *translated),
        "– its names of static files ": took_in(match_page, *static_names),
        "filling in a match's page that is kept": took(kept_match_page) - making_a_request,
        "compressing the lobby": took(lambda: gzip.compress(page, 6)),
        "a token against forged forms": took(lambda: get_token(new_request())) - making_a_request,
        "drawing a QR code": took(lambda: links.qr_picture.__wrapped__("http://localhost/m/22/")),
        "starting and ending a thread": await took_waiting(in_new_thread),
        "handing over to a reading thread and back": await took_waiting(handed_over),
        "opening a connection to SQLite": await database.read(took, connect),
        "reading a match": await database.read(took, lambda: selectors.stored_match(match_id)),
        "comparing a loaded match with the database": await database.read(
            took, lambda: selectors.fingerprints([match_id])
        ),
        "the offline page, through Django's own handler": await took_waiting(
            lambda: through(ordinary)
        ),
        "the offline page, in the event loop": await took_waiting(lambda: through(pages)),
    }


def new_match() -> str:
    from games.matches import services

    one, two = services.new_guest(), services.new_guest()
    match, _ = services.create_match(guest=one, game="number-tower-duel", starts="me")
    services.join_match(match_id=match.pk, guest=two)
    return match.pk


def main() -> None:
    stay_on(SERVER_CORE)
    with tempfile.TemporaryDirectory(prefix="numgames-bench-") as folder:
        os.environ["NUMGAMES_DATA"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "numgames_site.settings"
        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        costs = asyncio.run(measure())
        table(["what", "µs"], ([what, f"{cost:,.0f}"] for what, cost in costs.items()))


if __name__ == "__main__":
    main()
