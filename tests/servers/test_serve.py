"""`manage.py serve`, which `make run` calls."""

import gzip
import os
import socket
import subprocess
import sys
import urllib.request
from urllib.error import HTTPError

import pytest

from games.rules import GAMES
from tests.serving import ROOT, serving


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("data")) as server:
        yield server.http


def get(address, path, **headers):
    """Return status, headers and text of a response."""
    request = urllib.request.Request(address + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.headers, response.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def test_it_serves_pages_and_styles_that_browsers_can_cache_forever(address):
    page = get(address, "/")[2]
    assert all(game.name in page for game in GAMES.values())
    style = page.split('rel="stylesheet" href="')[1].split('"')[0]
    status, headers, _ = get(address, style)
    assert status == 200
    assert headers["content-type"].startswith("text/css")
    assert "immutable" in headers["cache-control"]


def test_static_files_are_compressed_for_clients_that_accept_it(address):
    style = get(address, "/")[2].split('rel="stylesheet" href="')[1].split('"')[0]
    _, plain_headers, plain = get(address, style)
    assert "content-encoding" not in plain_headers
    request = urllib.request.Request(address + style, headers={"Accept-Encoding": "br, gzip"})
    with urllib.request.urlopen(request, timeout=30) as response:
        assert response.headers["content-encoding"] == "gzip"
        assert gzip.decompress(response.read()).decode() == plain
    assert plain_headers["vary"] == "accept-encoding"
    head = urllib.request.Request(address + style, method="HEAD")
    with urllib.request.urlopen(head, timeout=30) as response:
        assert int(response.headers["content-length"]) == len(plain.encode())
        assert response.read() == b""


def test_a_static_file_that_does_not_exist_is_not_found(address):
    assert get(address, "/static/../manage.py")[0] == 404
    assert get(address, "/static/site.css")[0] == 404


def test_debug_is_off(address):
    status, _, page = get(address, "/nothing-here/")
    assert status == 404
    assert "This page doesn't exist" in page
    assert "DEBUG" not in page


def test_a_foreign_host_name_is_refused(address):
    assert get(address, "/", Host="evil.example")[0] == 400


def serve(data, port):
    return subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env={**os.environ, "NUMGAMES_DATA": str(data), "PORT": port},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_taken_port_is_reported_in_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = serve(tmp_path, port)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"CommandError: Port {port} is taken by another program. "
        "Choose another one: PORT=9000 make run"
    ]


@pytest.mark.parametrize("port", ["http", "-1", "70000", ""])
def test_an_invalid_port_is_reported_in_one_sentence(tmp_path, port):
    done = serve(tmp_path, port)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
