"""The websocket URLs."""

from channels.routing import URLRouter
from django.urls import path, re_path

from games.live.consumers import LobbyConsumer, MatchConsumer, MeConsumer, NowhereConsumer
from games.live.process import Process


def websockets(process: Process) -> URLRouter:
    """Route websockets to the consumers. One of each serves all sockets, so it has no state."""
    return URLRouter(
        [
            path("ws/match/<str:match_id>/", MatchConsumer(process)),
            path("ws/lobby/", LobbyConsumer(process)),
            path("ws/me/", MeConsumer(process)),
            # A path that matches everything: even the empty one, and one with a newline.
            re_path("", NowhereConsumer(process)),
        ]
    )
