"""The site's addresses."""

from django.urls import path

from games import api, views

handler400 = views.bad_request
handler403 = views.permission_denied

urlpatterns = [
    path("", views.home, name="home"),
    path("rules/<slug:slug>/", views.rules, name="rules"),
    path("new/", views.new_match, name="new_match"),
    path("m/<str:match_id>/", views.match, name="match"),
    path("m/<str:match_id>/join/", views.join_match, name="join_match"),
    path("m/<str:match_id>/cancel/", views.cancel_match, name="cancel_match"),
    path("api/guests/", api.endpoint(POST=api.create_guest)),
    path("api/matches/", api.endpoint(GET=api.list_matches, POST=api.create_match)),
    path("api/matches/<str:match_id>/", api.endpoint(GET=api.show_match)),
    path("api/matches/<str:match_id>/join/", api.endpoint(POST=api.join_match)),
    path("api/matches/<str:match_id>/cancel/", api.endpoint(POST=api.cancel_match)),
]
