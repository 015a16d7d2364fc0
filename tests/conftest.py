"""What all tests share."""

import pytest
from django.core.management import call_command
from django.test import override_settings
from hypothesis import settings

from games.matches import limits

# The machine may be busy; a slow example is no failure.
settings.register_profile("numgames", deadline=None)
settings.load_profile("numgames")


@pytest.fixture(autouse=True)
def full_buckets():
    """Start every test with fresh limits: all of them ask from the same address."""
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            limit.buckets.clear()


@pytest.fixture(scope="session")
def collected_static(tmp_path_factory):
    """Collect static files for this process alone: others may collect at the same time."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield
