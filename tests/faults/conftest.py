"""Processes and data stores that tests of faults may take away, and what they measured."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.datastores import PostgreSQL, Redis
from tests.faults.truth import Database
from tests.serving import serving, serving_together

_MEASURED: dict[str, dict[str, object]] = {}


@pytest.fixture(scope="package")
def postgresql():
    # As root, PostgreSQL runs as somebody else, whom pytest would shut out of its own folders.
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
    """Two processes on PostgreSQL and Redis, which live on from test to test."""
    yield long_lived_pair
    check_logs(*long_lived_pair)


@pytest.fixture(scope="package")
def long_lived(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("alone"), NUMGAMES_LIMITS="off") as server:
        yield server


@pytest.fixture
def alone(long_lived):
    """One process on SQLite, which lives on from test to test."""
    yield long_lived
    check_logs(long_lived)


def check_logs(*servers):
    """Nothing but what the test expected is in the logs, and the next test finds them empty."""
    complaints = [line for server in servers for line in server.complaints()]
    for server in servers:
        server.expected.clear()
        server.log.write_text("")
        if not server.is_up:
            server.start()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def measured(request):
    """Figures of a test, printed at the end of a run."""
    return _MEASURED.setdefault(request.node.name, {})


def pytest_terminal_summary(terminalreporter):
    # `make test` leaves out what takes minutes; nobody reads its figures.
    if not _MEASURED or terminalreporter.config.getoption("markexpr") == "not faults_long":
        return
    terminalreporter.section("what the faults' tests measured")
    for name, figures in _MEASURED.items():
        told = ", ".join(f"{what} {written(value)}" for what, value in figures.items())
        terminalreporter.line(f"{name}: {told}")


def written(value):
    """Seconds are the only figures with a fraction."""
    if isinstance(value, float):
        return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.0f} ms"
    if isinstance(value, list | tuple):
        return "/".join(map(written, value))
    return str(value)
