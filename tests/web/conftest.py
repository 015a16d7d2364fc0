"""A real server for the tests of the API."""

import pytest

from tests.serving import serving


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web"), NUMGAMES_LIMITS="off") as server:
        yield server
