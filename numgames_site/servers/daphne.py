"""Runs the site on daphne: `python -m numgames_site.servers.daphne`, with daphne's own options.

Everything is imported in `main`: the thinking pool's processes import this module too, and they
need no server.
"""

import os


def main() -> None:
    import django
    from daphne.cli import CommandLineInterface

    # daphne loads the application later. The settings and the log are needed now.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "numgames_site.settings")
    django.setup(set_prefix=False)

    from games.live import descriptors
    from games.live.frames import check
    from games.thinking import pool
    from numgames_site.servers.daphne_server import GracefulServer

    descriptors.raise_limit()
    CommandLineInterface.server_class = GracefulServer
    if check.use_bounds("daphne"):
        use_bounds()
        if check.use_frames("daphne"):
            use_frames()
    try:
        CommandLineInterface.entrypoint()
    finally:
        pool.end()


def use_bounds() -> None:
    import daphne.server
    from daphne.ws_protocol import WebSocketFactory

    from games.live.frames.daphne import MeteredProtocol
    from numgames_site.servers.bounds import Connections
    from numgames_site.servers.daphne_http import BoundedFactory

    BoundedFactory.connections = Connections()
    daphne.server.HTTPFactory = BoundedFactory
    WebSocketFactory.protocol = MeteredProtocol


def use_frames() -> None:
    from daphne.cli import CommandLineInterface
    from daphne.ws_protocol import WebSocketFactory

    from games.live.frames.daphne import FramesProtocol
    from numgames_site.servers.daphne_checks import SpreadChecksServer

    WebSocketFactory.protocol = FramesProtocol
    CommandLineInterface.server_class = SpreadChecksServer


if __name__ == "__main__":
    main()
