"""The site's URLs."""

from django.urls import path

from games.web import api, devices, errors, me, previews, profile, push, pwa, record, views

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
    path("api/push/", api.endpoint(GET=push.show_key, POST=push.renew)),
    path("api/me/push/", api.endpoint(POST=push.subscribe, DELETE=push.unsubscribe)),
    path("me/", me.matches, name="my_matches"),
    path("me/record/", record.show, name="my_record"),
    path("api/me/matches/", api.endpoint(GET=me.list_matches)),
    path("me/devices/", devices.page_of_devices, name="my_devices"),
    path("me/arrive/", devices.arrive_page, name="arrive"),
    path("api/me/devices/", api.endpoint(GET=devices.list_devices)),
    path("api/me/devices/sign-out/", api.endpoint(POST=devices.sign_out)),
    path("api/me/device-links/", api.endpoint(POST=devices.new_link)),
    path("api/me/arrive/", api.endpoint(POST=devices.arrive)),
    path(
        "api/me/recovery/",
        api.endpoint(POST=devices.new_code, DELETE=devices.delete_code),
    ),
    path("api/me/recover/", api.endpoint(POST=devices.recover)),
    path("api/me/data/", api.endpoint(GET=devices.download)),
    path("api/me/forget/", api.endpoint(POST=devices.forget)),
    path("api/guests/", api.endpoint(POST=api.create_guest)),
    path("api/me/", api.endpoint(GET=profile.show, PATCH=profile.change)),
    path("api/matches/", api.endpoint(GET=api.list_matches, POST=api.create_match)),
    path("api/matches/<str:match_id>/", api.endpoint(GET=api.show_match)),
    path("api/matches/<str:match_id>/join/", api.endpoint(POST=api.join_match)),
    path("api/matches/<str:match_id>/rematch/", api.endpoint(POST=api.offer_rematch)),
    path("api/matches/<str:match_id>/cancel/", api.endpoint(POST=api.cancel_match)),
    path("api/matches/<str:match_id>/review/", api.endpoint(GET=api.review_match)),
    path("api/matches/<str:match_id>/explore/", api.endpoint(GET=api.explore_match)),
]
