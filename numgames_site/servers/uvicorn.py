"""Runs the site on uvicorn: `python -m numgames_site.servers.uvicorn`, with uvicorn's own options.

Everything is imported in `main`: the thinking pool's processes import this module too, and they
need no server.
"""

import importlib
import os
import signal
import sys

BOUNDS = [
    *("--http", "numgames_site.servers.uvicorn_http:BoundedProtocol"),
    *("--ws", "games.live.frames.uvicorn:MeteredProtocol"),
]
FRAMES = ["--ws", "games.live.frames.uvicorn:FramesProtocol"]


def main() -> None:
    import django
    import uvicorn

    # uvicorn loads the application later. The settings and the log are needed now.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "numgames_site.settings")
    django.setup(set_prefix=False)

    from games.live import descriptors
    from games.live.frames import check
    from games.thinking import pool
    from numgames_site.servers.uvicorn_server import GracefulServer

    descriptors.raise_limit()
    # `uvicorn.main` is the command, which hides the module of the same name.
    importlib.import_module("uvicorn.main").Server = GracefulServer  # type: ignore[attr-defined]
    options = ["--backlog", str(descriptors.backlog())]
    if check.use_bounds("uvicorn"):
        use_bounds()
        options += BOUNDS
        if check.use_frames("uvicorn"):
            options += FRAMES
    # When uvicorn has stopped, it sends itself the signal again, which would kill the process
    # before the thinking pool is shut down.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        uvicorn.main([*sys.argv[1:-1], *options, sys.argv[-1]])
    finally:
        pool.end()


def use_bounds() -> None:
    from numgames_site.servers.bounds import Connections
    from numgames_site.servers.uvicorn_http import BoundedProtocol

    BoundedProtocol.connections_open = Connections()


if __name__ == "__main__":
    main()
