"""The ASGI application: Django serves pages and the API, Channels the websockets."""

import gc
import os
import sys

import django
from channels.routing import ProtocolTypeRouter
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "numgames_site.settings")

# Django must be set up before the consumers import models.
django.setup(set_prefix=False)

from games.live import health  # noqa: E402
from games.live.hub import HUB  # noqa: E402
from games.live.routing import websockets  # noqa: E402
from numgames_site.pages import PagesHandler  # noqa: E402
from numgames_site.servers import locks  # noqa: E402
from numgames_site.servers.static_files import read_collected  # noqa: E402

try:
    locks.hold_serving_lock()
except locks.AlreadyServing as refusal:
    sys.exit(str(refusal))


static_files = read_collected(settings.STATIC_ROOT, settings.STATIC_URL)
pages = PagesHandler()


async def http(scope, receive, send):  # type: ignore[no-untyped-def]
    if static_file := static_files.get(scope["path"]):
        await static_file.answer(scope, send)
        return
    # Pages and the API tell the hub about changes, so start it before the first of them.
    HUB.start()
    if scope["path"] in health.ADDRESSES:
        await health.answer(scope, send)
    else:
        await pages(scope, receive, send)


# Objects loaded by now are never freed, so exclude them from garbage collection. Collect new ones
# in small batches, so that no move has to wait long, and collect older ones rarely.
gc.collect()
gc.freeze()
gc.set_threshold(1_000, 20)

# Other threads use the database and render pages. With this they return the interpreter lock to the
# event loop's thread after half a millisecond instead of five.
sys.setswitchinterval(0.0005)

application = ProtocolTypeRouter({"http": http, "websocket": websockets})
