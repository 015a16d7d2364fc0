"""Views that are answered in the event loop instead of a thread.

Starting a thread, and opening a connection to the database in it, takes longer than most answers.
So a view says what it needs, and the server reads that first: `numgames_site/pages.py` awaits it,
and then runs the view, which waits for nothing.

    @in_loop(load_match)
    def match(request, loaded, match_id): ...
"""

import asyncio
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, NamedTuple

from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.http import HttpRequest
from django.urls import Resolver404, resolve

from games.matches import database

View = Callable[..., Any]

# In seconds. While the database is away, everyone who asks should soon be told, although a few
# threads read for all.
LONGEST_READ = 5.0


def in_loop(first: Callable[..., Any] | None = None) -> Callable[[View], View]:
    """Mark a view for the event loop. Its second argument is what `first` returns, if given.

    `first` gets the same arguments as the view. An ordinary function may use the database: it runs
    in one of the threads that keep their connection. A coroutine may wait for anything else.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **kwargs: Any) -> Any:
            if respond.first is None:
                return view(request, **kwargs)
            return view(request, _result(request, respond.first, kwargs), **kwargs)

        respond: Any = answer
        respond.first = first
        return respond  # type: ignore[no-any-return]

    return decorate


def _result(request: HttpRequest, first: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
    found: asyncio.Future[Any] | None = getattr(request, "read_first", None)
    if found is not None:
        # Raises what `first` has raised, so that the view's own error handling applies.
        return found.result()
    # Outside a server, as in Django's test client.
    call = async_to_sync(first) if iscoroutinefunction(first) else first
    return call(request, **kwargs)


class Plan(NamedTuple):
    """How to answer a request in the loop: what to read first, with which arguments."""

    first: Callable[..., Any] | None
    kwargs: dict[str, Any]

    @property
    def may_take_long(self) -> bool:
        return iscoroutinefunction(self.first)

    async def read(self, request: HttpRequest) -> None:
        """Read what the view needs, and keep the result, or the error, for it."""
        found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        assert self.first is not None
        try:
            if iscoroutinefunction(self.first):
                found.set_result(await self.first(request, **self.kwargs))
            else:
                reading = database.read(self.first, request, **self.kwargs)
                found.set_result(await asyncio.wait_for(reading, LONGEST_READ))
        except TimeoutError:
            found.set_exception(OperationalError("reading took too long"))
        except Exception as error:
            found.set_exception(error)
        request.read_first = found  # type: ignore[attr-defined]


def plan_for(method: str, path: str) -> Plan | None:
    """Return how a request is answered in the loop; None if it needs a thread."""
    if method not in ("GET", "HEAD"):
        return None
    try:
        found = resolve(path)
    except Resolver404:
        return None
    # An address of the API has a view for each method.
    view = getattr(found.func, "by_method", {}).get("GET", found.func)
    return Plan(view.first, found.kwargs) if hasattr(view, "first") else None
