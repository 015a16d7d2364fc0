"""Pages are asked for within this process, and always from the same address."""

import pytest

from games import limits


@pytest.fixture(autouse=True)
def full_buckets():
    """Each test is as if nobody had asked for anything before."""
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            limit.buckets.clear()
