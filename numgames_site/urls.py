"""The site's URLs."""

from django.urls import path

from games.web import api, errors, previews, pwa, views

handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error

urlpatterns = [
    path("", views.home, name="home"),
    path("rules/<slug:slug>/", views.rules, name="rules"),
    path("rules/<slug:slug>/picture.png", previews.rules_picture, name="rules_picture"),
    path("watch/", views.watch, name="watch"),
    path("new/", views.new_match, name="new_match"),
    path("m/<str:match_id>/", views.match, name="match"),
    path("m/<str:match_id>/<int:version>.png", previews.match_picture, name="match_picture"),
    path("m/<str:match_id>/review/", views.review, name="review"),
    path("m/<str:match_id>/join/", views.join_match, name="join_match"),
    path("m/<str:match_id>/cancel/", views.cancel_match, name="cancel_match"),
    path("picture.png", previews.site_picture, name="site_picture"),
    path("icons/<int:size>-<slug:kind>.png", previews.icon, name="icon"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("service-worker.js", pwa.service_worker),
    path("offline/", pwa.offline, name="offline"),
    path("api/guests/", api.endpoint(POST=api.create_guest)),
    path("api/matches/", api.endpoint(GET=api.list_matches, POST=api.create_match)),
    path("api/matches/<str:match_id>/", api.endpoint(GET=api.show_match)),
    path("api/matches/<str:match_id>/join/", api.endpoint(POST=api.join_match)),
    path("api/matches/<str:match_id>/cancel/", api.endpoint(POST=api.cancel_match)),
    path("api/matches/<str:match_id>/review/", api.endpoint(GET=api.review_match)),
    path("api/matches/<str:match_id>/explore/", api.endpoint(GET=api.explore_match)),
]
