"""Answers each HTTP request in the event loop if it can, else in a single thread."""

import asyncio
import io
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase
from django.urls import set_script_prefix

from games.web import errors
from games.web.in_loop import Plan, plan_for
from games.web.outlines import NotKept
from numgames_site.requests import Request

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class PagesHandler(ASGIHandler):
    """Runs middleware and view together, either in the event loop or in one thread.

    Django would switch threads for every middleware. Each switch takes time. And a thread that
    waits for the event loop waits forever if the server stops in the meantime
    (docs/decisions/0010-no-thread-waits-for-the-loop.md).
    """

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        plan = plan_for(scope["method"], scope["path"])
        if plan is None:
            await super().__call__(scope, receive, send)
        else:
            await self.answer_in_loop(plan, scope, receive, send)

    async def answer_in_loop(
        self, plan: Plan, scope: Message, receive: Receive, send: Send
    ) -> None:
        set_script_prefix(get_script_prefix(scope))
        request, refusal = self.create_request(scope, io.BytesIO())
        if request is None:
            assert refusal is not None
            await self.send_response(refusal, send)
            return
        # Other requests are refused by the middleware, and must not cause any work before.
        if plan.first is not None and is_addressed_to_us(request):
            reading = plan.read(request)
            if not plan.may_take_long:
                await reading
            elif not await finished_before(reading, gone(receive)):
                return
        # Nothing has to be closed: the database was used in other threads, and there is no body.
        await self.send_response(await self.respond(request), send)

    async def respond(self, request: Any) -> HttpResponseBase:
        request.in_loop = True
        while True:
            try:
                return self.get_response(request)
            except NotKept as missing:
                # The first page of its kind is rendered in a thread.
                await asyncio.to_thread(missing.render)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)

    def create_request(
        self, scope: Mapping[str, Any], body_file: Any
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        try:
            return Request(scope, body_file), None
        except ValueError:  # a query that isn't UTF-8
            return None, errors.unreadable(scope["path"])


def is_addressed_to_us(request: HttpRequest) -> bool:
    """Return whether a request has one of our host names, and HTTPS if it has to."""
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return request.is_secure() or not settings.SECURE_SSL_REDIRECT


async def gone(receive: Receive) -> None:
    """Wait until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def finished_before(work: Awaitable[None], end: Awaitable[None]) -> bool:
    """Do some work; cancel it and return False if the end comes first."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(end)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return tasks[0].done()
    finally:
        for task in tasks:
            task.cancel()
