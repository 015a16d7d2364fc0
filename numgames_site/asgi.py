"""The ASGI application: Django serves pages and the API, Channels the websockets."""

import os
import sys

import django
from channels.routing import ProtocolTypeRouter
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "numgames_site.settings")

# Django must be set up before the consumers import models.
django.setup(set_prefix=False)

from games.live import health, metrics  # noqa: E402
from games.live.collector import TIDY_EVERY, Collector  # noqa: E402
from games.live.process import SCOPE_KEY, Process  # noqa: E402
from games.live.routing import websockets  # noqa: E402
from games.matches import database  # noqa: E402
from numgames_site.pages import PagesHandler  # noqa: E402
from numgames_site.servers import locks  # noqa: E402
from numgames_site.servers.static_files import read_collected  # noqa: E402

KEEP_LOCK_EVERY = 15.0

# `manage.py serve` has checked this already, other ways of starting a server have not.
if settings.SECRET_KEY_PROBLEM:
    sys.exit(settings.SECRET_KEY_PROBLEM)
try:
    locks.hold_serving_lock()
except locks.AlreadyServing as refusal:
    sys.exit(str(refusal))


process = Process()


async def keep_serving_lock() -> None:
    """Take the lock again if it was lost in a restart of the database."""
    await database.read(locks.hold_serving_lock)


process.repeat(KEEP_LOCK_EVERY, keep_serving_lock)

collector = Collector(lambda: process.door.sockets)
process.repeat(TIDY_EVERY, collector.tidy)
metrics.LONGEST_COLLECTION.set_function(lambda: collector.longest)

static_files = read_collected(settings.STATIC_ROOT, settings.STATIC_URL)
pages = PagesHandler()


async def http(scope, receive, send):  # type: ignore[no-untyped-def]
    if static_file := static_files.get(scope["path"]):
        await static_file.answer(scope, send)
        return
    # Pages and API notify the process of changes, so it must run before the first of them.
    process.start()
    if health.is_for(scope):
        await health.answer(scope, send, process)
    else:
        scope[SCOPE_KEY] = process
        await pages(scope, receive, send)


# Threads that use the database or render pages give the interpreter back to the sockets' thread
# after half a millisecond instead of five.
sys.setswitchinterval(0.0005)

application = ProtocolTypeRouter({"http": http, "websocket": websockets(process)})

collector.start()
