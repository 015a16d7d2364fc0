"""Fixtures and settings shared by all tests."""

import pytest
from django.core.management import call_command
from django.test import override_settings
from hypothesis import settings

from games.matches import limits
from tests.live.in_process import close_connections

# On a busy machine an example may be slow; that is not a failure.
settings.register_profile("numgames", deadline=None)
settings.load_profile("numgames")


@pytest.fixture(autouse=True)
def full_buckets():
    """Reset the rate limits before every test: all tests use the same IP address."""
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            limit.buckets.clear()


@pytest.fixture(scope="session")
def collected_static(tmp_path_factory):
    """Collect static files into a temporary folder: test processes may run in parallel."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield


@pytest.fixture
def closed_connections():
    """Close the connections of the database threads afterwards, because they outlive a test."""
    yield
    close_connections()
