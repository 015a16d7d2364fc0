"""Requests are read with bounds."""

import encodings
import io
import json

import pytest
from django.core.exceptions import DisallowedHost
from django.http.multipartparser import MultiPartParserError

from numgames_site.pages import PagesHandler

pytestmark = pytest.mark.usefixtures("collected_static")


def created(path="/", query=b"", body=b"", **headers):
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": query,
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }
    return PagesHandler().create_request(scope, io.BytesIO(body))


def test_the_name_of_a_charset_is_not_looked_up():
    """Python would remember it for good."""
    for written in ("charset=nonsense-1", "charset*=nonsense-2''x", "charset=hex"):
        request, _ = created(content_type=f"Application/JSON ; {written}")
        assert (request.content_type, request.encoding) == ("application/json", None)
    assert not [name for name in encodings._cache if name.startswith("nonsense")]


def test_a_form_is_read_as_utf_8_and_files_are_refused():
    kind = "application/x-www-form-urlencoded"
    request, _ = created(content_type=f"{kind}; charset=latin1", body=b"name=%C3%A9")
    assert request.POST["name"] == "é"
    request, _ = created(content_type="multipart/form-data; boundary=x", body=b"--x--")
    with pytest.raises(MultiPartParserError):
        assert request.POST


@pytest.mark.parametrize("host", ["localhost:" + "1" * 300, "x" * 5000, ""])
def test_a_host_that_is_too_long_is_foreign(host):
    request, _ = created(host=host)
    with pytest.raises(DisallowedHost):
        request.get_host()


@pytest.mark.parametrize("path", ["/", "/api/matches/"])
def test_a_query_that_is_not_utf_8_is_refused(path):
    request, answer = created(path, query=b"\xff")
    assert request is None
    assert answer.status_code == 400
    if path.startswith("/api/"):
        assert json.loads(answer.content)["code"] == "malformed"
