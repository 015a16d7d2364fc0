"""The addresses of websockets."""

from channels.routing import URLRouter
from django.urls import path

from games.live.consumers import LobbyConsumer, MatchConsumer, NowhereConsumer

websockets = URLRouter(
    [
        path("ws/match/<str:match_id>/", MatchConsumer.as_asgi()),
        path("ws/lobby/", LobbyConsumer.as_asgi()),
        path("<path:anything>", NowhereConsumer.as_asgi()),
    ]
)
