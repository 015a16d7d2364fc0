"""Servers and data stores that fault tests may stop, and a report of what they measured."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.datastores import PostgreSQL, Redis
from tests.faults.truth import Database
from tests.serving import serving, serving_together

_MEASURED: dict[str, dict[str, object]] = {}


@pytest.fixture(scope="package")
def postgresql():
    # If the tests run as root, PostgreSQL runs as another user, who can't open pytest's folders.
    with TemporaryDirectory() as folder:
        server = PostgreSQL(Path(folder))
        yield server
        server.close()


@pytest.fixture(scope="package")
def redis():
    server = Redis()
    yield server
    server.close()


@pytest.fixture
def database(postgresql):
    return Database(postgresql.url)


@pytest.fixture(scope="package")
def long_lived_pair(postgresql, redis, tmp_path_factory):
    with serving_together(
        tmp_path_factory.mktemp("pair"),
        DATABASE_URL=postgresql.url,
        REDIS_URL=redis.url,
        NUMGAMES_LIMITS="off",
        NUMGAMES_CLAIM_AFTER="6,6,60",
    ) as servers:
        yield servers


@pytest.fixture
def pair(long_lived_pair):
    """Two processes with PostgreSQL and Redis, shared by the fault tests."""
    yield long_lived_pair
    check_logs(*long_lived_pair)


@pytest.fixture(scope="package")
def long_lived(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("alone"), NUMGAMES_LIMITS="off") as server:
        yield server


@pytest.fixture
def alone(long_lived):
    """One process with SQLite, shared by the fault tests."""
    yield long_lived
    check_logs(long_lived)


@pytest.fixture(scope="package")
def long_lived_uvicorn(tmp_path_factory):
    data = tmp_path_factory.mktemp("uvicorn")
    with serving(data, NUMGAMES_LIMITS="off", NUMGAMES_SERVER="uvicorn") as server:
        yield server


@pytest.fixture
def uvicorn(long_lived_uvicorn):
    """One process with SQLite on uvicorn, shared by the fault tests."""
    yield long_lived_uvicorn
    check_logs(long_lived_uvicorn)


def check_logs(*servers):
    """Check that the logs have only expected lines, and clear them for the next test."""
    complaints = [line for server in servers for line in server.complaints()]
    for server in servers:
        server.expected.clear()
        server.log.write_text("")
        if not server.is_up:
            server.start()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def measured(request):
    """Collect figures of this test, to be printed at the end of the run."""
    return _MEASURED.setdefault(request.node.name, {})


def pytest_terminal_summary(terminalreporter):
    # `make test` skips the long tests; the figures of the short ones don't matter.
    if not _MEASURED or terminalreporter.config.getoption("markexpr") == "not faults_long":
        return
    terminalreporter.section("fault test measurements")
    for name, figures in _MEASURED.items():
        told = ", ".join(f"{what} {written(value)}" for what, value in figures.items())
        terminalreporter.line(f"{name}: {told}")


def written(value):
    """Format a figure; floats are always seconds."""
    if isinstance(value, float):
        return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.0f} ms"
    if isinstance(value, list | tuple):
        return "/".join(map(written, value))
    return str(value)
