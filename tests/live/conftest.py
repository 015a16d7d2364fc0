"""Fixtures for the tests of live matches."""

import pytest

from tests.serving import serving


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """A real server."""
    with serving(tmp_path_factory.mktemp("live"), NUMGAMES_LIMITS="off") as server:
        yield server
