"""Django settings: safe as they are, and complete without any configuration.

Environment variables change what a deployment needs changed; each is read here and nowhere else.
"""

import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

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

# A proxy in front sets X-Forwarded-For, whatever the client sent there: NUMGAMES_PROXY=1.
PROXY = os.environ.get("NUMGAMES_PROXY") == "1"
# And it speaks HTTPS: NUMGAMES_HTTPS=1 (docs/operating.md).
HTTPS = os.environ.get("NUMGAMES_HTTPS") == "1"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

INSTALLED_APPS = [
    "csp",
    "django.contrib.staticfiles",
    "games",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "games.web.language.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "games.web.errors.UnavailableMiddleware",
]
CSRF_FAILURE_VIEW = "games.web.errors.csrf_failure"
ROOT_URLCONF = "numgames_site.urls"
ASGI_APPLICATION = "numgames_site.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request"],
            # Hardly a template is without words.
            "builtins": ["django.templatetags.i18n"],
        },
    }
]

# SQLite unless DATABASE_URL names a PostgreSQL server.
DATABASES = {
    "default": dj_database_url.config(default=f"sqlite:///{DATA_DIR / 'numgames.sqlite3'}")
}
if "sqlite" in DATABASES["default"]["ENGINE"]:
    synchronous = os.environ.get("NUMGAMES_SQLITE_SYNCHRONOUS", "NORMAL")
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # Under load the pages of the matches being played stay in memory (64 MB at most), and the
        # log goes over to the main file every 16 MB: moves write the same pages again and again.
        "init_command": (
            f"PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; "
            "PRAGMA cache_size = -64000; PRAGMA wal_autocheckpoint = 4000"
        ),
    }
    # A file for tests too: threads share it as they do in a real server.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
else:
    # An attempt to reconnect that has failed must not hold up the next, when the server is back.
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 2, "max_size": 12, "timeout": 2, "reconnect_timeout": 0.5}
    }
    # A server that was restarted has ended the pool's connections: none is handed out unasked.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# Several processes find each other through Redis; one process needs none.
REDIS_URL = os.environ.get("REDIS_URL", "")

# After how many seconds the win may be claimed from an opponent who is away on their turn, in a
# match by link and in a listed one, and from one who is there and does not move, in a listed one.
CLAIM_AFTER = dict(
    zip(
        ("link", "listed", "idle"),
        map(float, os.environ.get("NUMGAMES_CLAIM_AFTER", "120,30,120").split(",")),
        strict=True,
    )
)
# How many seconds the computer takes before it moves: as long as a quick person would.
COMPUTER_PAUSE = tuple(map(float, os.environ.get("NUMGAMES_COMPUTER_PAUSE", "0.6,1.4").split(",")))
# Limits on creating, joining and looking up; only a load test switches them off.
LIMITS = os.environ.get("NUMGAMES_LIMITS") != "off"
# The fast path for websocket frames; off means the server's own way (docs/frames.md).
FRAMES = os.environ.get("NUMGAMES_FRAMES") != "off"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "staticfiles": {"BACKEND": "numgames_site.servers.static_storage.ModuleStaticFilesStorage"}
}

# As the browser asks, unless the person has chosen: CONTRIBUTING.md says how to add one.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German")]
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# The log holds what somebody should look at. A mistyped address or a stray host name is answered to
# the one who asked, and is no such thing.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "numgames_site.logs.Lines"},
        "json": {"()": "numgames_site.logs.JsonLines"},
    },
    "filters": {
        "not_a_clients_mistake": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: not str(record.msg).startswith("Invalid "),
        }
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if os.environ.get("NUMGAMES_LOG") == "json" else "line",
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # What the servers cannot read, some of it with a traceback, whoever sent it.
        "daphne.ws_protocol": {"level": "CRITICAL"},
        "uvicorn.error": {"filters": ["not_a_clients_mistake"]},
    },
}
