"""Handles each HTTP request in a single thread, or entirely without a thread."""

from collections.abc import Mapping
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve

from games.web import errors
from numgames_site.requests import Request


class PagesHandler(ASGIHandler):
    """Keeps a request in one thread, instead of switching threads for every middleware.

    Each switch takes time. And a thread that waits for the event loop waits forever if the server
    stops in the meantime (docs/decisions/0010-no-thread-waits-for-the-loop.md).
    """

    def __init__(self) -> None:
        super().__init__()
        self._in_thread = BaseHandler()
        self._in_thread.load_middleware()

    def create_request(
        self, scope: Mapping[str, Any], body_file: Any
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        try:
            return Request(scope, body_file), None
        except ValueError:  # a query that isn't UTF-8
            return None, errors.unreadable(scope["path"])

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if is_asynchronous(request.path_info):
            return await super().get_response_async(request)
        return await sync_to_async(self._in_thread.get_response)(request)


def is_asynchronous(path: str) -> bool:
    try:
        return iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return False
