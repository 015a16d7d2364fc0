"""Django settings, with defaults that are safe and need no configuration.

Environment variables override them (docs/operating.md). They are read here, except PORT and
NUMGAMES_SERVER, which `manage.py serve` reads.
"""

import contextlib
import os
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from numgames_site import permissions, push_key, secret_key
from numgames_site.network import lan_address

BASE_DIR = Path(__file__).resolve().parent.parent

# Everything an installation creates and git ignores: secret key, database, collected static files.
DATA_DIR = Path(os.environ.get("NUMGAMES_DATA", BASE_DIR / "var"))
STATIC_ROOT = DATA_DIR / "static"
with contextlib.suppress(OSError):  # `manage.py serve` says what is wrong with the folder
    permissions.make_folder(DATA_DIR)
    permissions.make_folder(STATIC_ROOT)

# `manage.py serve` refuses to start if there is a problem.
SECRET_KEY, SECRET_KEY_PROBLEM = secret_key.find(
    os.environ.get("NUMGAMES_SECRET_KEY"), DATA_DIR / "secret_key"
)
# The key for web push. `manage.py serve` refuses to start if there is a problem.
PUSH_KEY, PUSH_KEY_PROBLEM = push_key.find(
    os.environ.get("NUMGAMES_PUSH_KEY"),
    os.environ.get("NUMGAMES_SECRET_KEY"),
    DATA_DIR / "push_key",
)
DEBUG = os.environ.get("NUMGAMES_DEBUG") == "1"

LAN_ADDRESS = lan_address()
HOSTS = [host.strip() for host in os.environ.get("NUMGAMES_HOSTS", "").split(",") if host.strip()]

# Behind a proxy that sets X-Forwarded-For and overwrites whatever the client sent there.
PROXY = os.environ.get("NUMGAMES_PROXY") == "1"
# Behind a proxy that serves HTTPS.
HTTPS = os.environ.get("NUMGAMES_HTTPS") == "1"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    # Only the named hosts, and only over HTTPS: anybody on the way can answer for http://play.example,
    # and any program on a visitor's machine for https://localhost.
    ALLOWED_HOSTS = HOSTS
    CSRF_TRUSTED_ORIGINS = [f"https://{'*' * host.startswith('.')}{host}" for host in HOSTS]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
else:
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *([LAN_ADDRESS] if LAN_ADDRESS else [])]
    ALLOWED_HOSTS += HOSTS

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
    "numgames_site",  # for its management commands
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
            # Almost every template translates texts.
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
        # Cache up to 64 MB, so that matches being played stay in memory, and checkpoint the log
        # only every 16 MB, because moves write the same pages again and again.
        "init_command": (
            f"PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; "
            "PRAGMA cache_size = -64000; PRAGMA wal_autocheckpoint = 4000"
        ),
    }
    # Tests use a file too, so that threads share it as in a real server.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
else:
    # After a failed attempt to reconnect, try again soon: the server may be back.
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 2, "max_size": 12, "timeout": 2, "reconnect_timeout": 0.5}
    }
    # If the server was restarted, the pool's connections are dead, so check each before using it.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# Several processes communicate through Redis. A single process doesn't need it.
REDIS_URL = os.environ.get("REDIS_URL", "")

# After how many seconds a player may claim the win. "link" and "listed": the opponent is away on
# their turn, in a match by link or a listed match. "idle": the opponent of a listed match is here
# but doesn't move. "no-hurry": the opponent is away and has not moved, in a match without hurry.
CLAIM_AFTER = {"link": 120.0, "listed": 30.0, "idle": 120.0, "no-hurry": 3 * 24 * 60 * 60.0}
# Values left out at the end keep their defaults.
if _claim_after := os.environ.get("NUMGAMES_CLAIM_AFTER"):
    CLAIM_AFTER.update(zip(tuple(CLAIM_AFTER), map(float, _claim_after.split(",")), strict=False))
# The push services that we post to, each with its subdomains: those of Chrome and of the browsers
# built on it, Firefox, Safari and Edge.
PUSH_HOSTS = (
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
    *filter(None, os.environ.get("NUMGAMES_PUSH_HOSTS", "").split(",")),
)
# Where a push service can complain about us. Apple's accepts only addresses that could exist.
PUSH_CONTACT = os.environ.get("NUMGAMES_PUSH_CONTACT") or (
    f"https://{HOSTS[0].lstrip('.')}" if HOSTS else "mailto:nobody@example.com"
)
# For tests: one address, such as http://127.0.0.1:8123, that we also post to, although it is local.
PUSH_TEST_SERVICE = os.environ.get("NUMGAMES_PUSH_TEST_SERVICE", "")
# How many seconds somebody may be without a page before they are told by push, and after how many
# we look again, because a phone that was just locked still looks connected.
PUSH_AFTER = tuple(map(float, os.environ.get("NUMGAMES_PUSH_AFTER", "5,35").split(",")))
# How many seconds the computer waits before it moves (shortest, longest), like a quick player.
COMPUTER_PAUSE = tuple(map(float, os.environ.get("NUMGAMES_COMPUTER_PAUSE", "0.6,1.4").split(",")))
# Metrics are for this machine only, unless you open them.
METRICS_PUBLIC = os.environ.get("NUMGAMES_METRICS") == "public"
# Rate limits on creating, joining and looking up matches. Load tests turn them off.
LIMITS = os.environ.get("NUMGAMES_LIMITS") != "off"
# The fast path for websocket frames (docs/frames.md). If off, the server handles all frames itself.
FRAMES = os.environ.get("NUMGAMES_FRAMES") != "off"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "staticfiles": {"BACKEND": "numgames_site.servers.static_storage.ModuleStaticFilesStorage"}
}

# The browser's language, unless the person chose another. CONTRIBUTING.md says how to add one.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German")]
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Log only what an operator should look at, which excludes clients' mistakes such as a mistyped URL
# or an unknown host name.
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
            "callback": lambda record: not str(record.msg).startswith(("Invalid ", "Unsupported ")),
        },
        "repeats": {"()": "numgames_site.logs.Repeats"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["repeats"],
            "formatter": "json" if os.environ.get("NUMGAMES_LOG") == "json" else "line",
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.request": {"level": "ERROR"},
        # What strangers send: unknown hosts, forms without a token, too many fields. Refusals are
        # counted instead (games/web/errors.py).
        "django.security": {"level": "CRITICAL"},
        # The servers log malformed input from any client, sometimes with a traceback.
        "daphne.http_protocol": {"level": "CRITICAL"},
        "daphne.ws_protocol": {"level": "CRITICAL"},
        "uvicorn.error": {"filters": ["not_a_clients_mistake"]},
    },
}
