"""The websocket URLs."""

from channels.routing import URLRouter
from django.urls import path, re_path

from games.live.consumers import LobbyConsumer, MatchConsumer, NowhereConsumer
from games.live.process import Process


def websockets(process: Process) -> URLRouter:
    return URLRouter(
        [
            path("ws/match/<str:match_id>/", MatchConsumer.as_asgi(process=process)),
            path("ws/lobby/", LobbyConsumer.as_asgi(process=process)),
            # A path that matches everything: even the empty one, and one with a newline.
            re_path("", NowhereConsumer.as_asgi(process=process)),
        ]
    )
