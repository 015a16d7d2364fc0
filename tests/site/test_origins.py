"""Which pages may act for a guest, with and without HTTPS: by forms and through websockets."""

from http.client import HTTPConnection

import pytest

from numgames_site.network import lan_address
from tests.serving import serving

LAN = lan_address() or "192.0.2.1"
SECRET = "a" * 32

# For each kind of installation: who asks (Host), from which page (Origin), and whether it may.
PLAIN = {
    ("localhost:{port}", "http://localhost:{port}"): True,
    ("127.0.0.1:{port}", "http://127.0.0.1:{port}"): True,
    (f"{LAN}:{{port}}", f"http://{LAN}:{{port}}"): bool(lan_address()),
    ("play.example", "http://play.example"): True,
    ("localhost:{port}", None): True,
    ("localhost:{port}", "http://127.0.0.1:{port}"): False,
    ("localhost:{port}", "http://localhost:1"): False,
    ("localhost:{port}", "http://evil.example"): False,
    ("localhost:{port}", "null"): False,
    ("evil.example", "http://evil.example"): False,
}
HTTPS = {
    ("play.example", "https://play.example"): True,
    ("second.example", "https://second.example"): True,
    ("play.example:8443", "https://play.example:8443"): True,
    ("play.example", "http://play.example"): False,
    ("play.example", "http://play.example:80"): False,
    ("play.example", "https://localhost"): False,
    ("play.example", "https://127.0.0.1"): False,
    ("play.example", f"https://{LAN}"): False,
    ("play.example", "https://play.example:8443"): False,
    ("play.example", "https://evil.example"): False,
    ("play.example", "https://play.example.evil.example"): False,
    ("play.example", "null"): False,
    ("localhost", "https://localhost"): False,
    ("127.0.0.1", "https://127.0.0.1"): False,
    (LAN, f"https://{LAN}"): False,
    (LAN, f"http://{LAN}"): False,
    ("evil.example", "https://evil.example"): False,
}
ROWS = [("plain", *row) for row in PLAIN.items()] + [("https", *row) for row in HTTPS.items()]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("plain"), NUMGAMES_HOSTS="play.example") as server:
        yield server


@pytest.fixture(scope="module")
def https(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("https"),
        NUMGAMES_HOSTS="play.example, second.example",
        NUMGAMES_HTTPS="1",
        NUMGAMES_PROXY="1",
    ) as server:
        yield server


def ask(server, kind, method, path, host, origin, body=None, **headers):
    """Ask as a browser would, directly or through a proxy that serves HTTPS."""
    if origin is not None:
        headers["Origin"] = origin.format(port=server.port)
    if kind == "https":
        headers |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.request(method, path, body, {"Host": host.format(port=server.port), **headers})
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize(("kind", "asked", "may"), ROWS)
def test_only_our_own_pages_may_send_forms(request, kind, asked, may):
    status = ask(
        request.getfixturevalue(kind),
        kind,
        "POST",
        "/new/",
        *asked,
        body="game=chain-factor",
        **{
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"csrftoken={SECRET}",
            "X-CSRFToken": SECRET,
            # Browsers send it too; without an origin, Django looks at it.
            "Referer": f"{asked[1] or 'http://localhost'}/",
        },
    )
    # A host that we don't know gets no further than to 400.
    assert status == 302 if may else status in (400, 403)


@pytest.mark.parametrize(("kind", "asked", "may"), ROWS)
def test_only_our_own_pages_may_open_websockets(request, kind, asked, may):
    status = ask(
        request.getfixturevalue(kind),
        kind,
        "GET",
        "/ws/lobby/",
        *asked,
        **{
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        },
    )
    assert status == (101 if may else 403)
