"""Django settings: safe as they are, and complete without any configuration.

Environment variables change what a deployment needs changed; each is read here and nowhere else.
"""

import os
from pathlib import Path

from numgames_site import secret_key
from numgames_site.network import lan_address

BASE_DIR = Path(__file__).resolve().parent.parent

# Everything that an installation makes and git ignores: the key, the database, collected files.
DATA_DIR = Path(os.environ.get("NUMGAMES_DATA", BASE_DIR / "var"))
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)

SECRET_KEY = os.environ.get("NUMGAMES_SECRET_KEY") or secret_key.read_or_make(
    DATA_DIR / "secret_key"
)
DEBUG = os.environ.get("NUMGAMES_DEBUG") == "1"

LAN_ADDRESS = lan_address()
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS += [LAN_ADDRESS] if LAN_ADDRESS else []
ALLOWED_HOSTS += [host for host in os.environ.get("NUMGAMES_HOSTS", "").split(",") if host]

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "games",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "numgames_site.urls"
ASGI_APPLICATION = "numgames_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

DATABASES = {
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "numgames.sqlite3"}
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {"staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"}}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

# The log holds what somebody should look at. A mistyped address or a stray host name is answered to
# the one who asked, and is no such thing.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
