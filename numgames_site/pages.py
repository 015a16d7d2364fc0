"""Django's answer to HTTP: each request in one thread from end to end, or wholly without one."""

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve


class PagesHandler(ASGIHandler):
    """Django would change between threads and the loop at every middleware, which takes time.

    And a thread that waits for the loop waits forever, when the server stops meanwhile.
    """

    def __init__(self) -> None:
        super().__init__()
        self._in_thread = BaseHandler()
        self._in_thread.load_middleware()

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if is_asynchronous(request.path_info):
            return await super().get_response_async(request)
        return await sync_to_async(self._in_thread.get_response)(request)


def is_asynchronous(path: str) -> bool:
    try:
        return iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return False
