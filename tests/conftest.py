"""What all tests share."""

import pytest
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
