"""The site's addresses."""

from django.urls import path

from games import views

urlpatterns = [
    path("", views.home, name="home"),
    path("rules/<slug:slug>/", views.rules, name="rules"),
]
