"""The site's addresses."""

from django.urls import path

from games import api, views

urlpatterns = [
    path("", views.home, name="home"),
    path("rules/<slug:slug>/", views.rules, name="rules"),
    path("api/guests/", api.endpoint(POST=api.create_guest)),
    path("api/matches/", api.endpoint(GET=api.list_matches, POST=api.create_match)),
    path("api/matches/<str:match_id>/", api.endpoint(GET=api.show_match)),
    path("api/matches/<str:match_id>/join/", api.endpoint(POST=api.join_match)),
    path("api/matches/<str:match_id>/cancel/", api.endpoint(POST=api.cancel_match)),
]
