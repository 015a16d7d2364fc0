"""The entry point for the server."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "numgames_site.settings")

application = get_asgi_application()
