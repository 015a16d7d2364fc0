"""A plain Django project to compare with: one small template and one JSON view.

It has what a project without a database has after `django-admin startproject`: the usual
middleware, ordinary views, and Django's own ASGI handler.
"""

from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import engines
from django.urls import path

TEMPLATE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ title }}</title></head>
<body>
<h1>{{ title }}</h1>
<ul>{% for item in items %}
  <li><a href="{% url 'page' %}">{{ item.name }}</a>: {{ item.price|floatformat:2 }}</li>
{% endfor %}</ul>
<form method="post">{% csrf_token %}<button>Send</button></form>
</body>
</html>
"""
ITEMS: list[dict[str, Any]] = [{"name": f"Item {n}", "price": n * 1.25} for n in range(10)]

settings.configure(
    SECRET_KEY="only for measurements",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="bench.plain",
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
)


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(PAGE.render({"title": "Items", "items": ITEMS}, request))


def data(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"items": ITEMS})


urlpatterns = [path("", page, name="page"), path("data/", data)]

application = get_asgi_application()
PAGE = engines["django"].from_string(TEMPLATE)
