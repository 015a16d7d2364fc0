"""The fast path on the servers' real transports, with clients that don't read or go away."""

import json
import os
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from games.live.frames.daphne import LONGEST_BACKLOG
from numgames_site.management.commands.serve import SERVERS
from tests.serving import ROOT

PATIENCE = 20


@contextmanager
def running(name, folder, **environment):
    """Run the application of `frame_writer` on a server, through its entry point."""
    log = folder / "server.log"
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("w") as errors:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", f"numgames_site.servers.{name}"),
                *(*SERVERS[name], str(listener.fileno())),
                "tests.servers.frame_writer:application",
            ],
            cwd=ROOT,
            env={**os.environ, "NUMGAMES_DATA": str(folder), **environment},
            stderr=errors,
            pass_fds=[listener.fileno()],
        )
        try:
            yield SimpleNamespace(port=listener.getsockname()[1], log=log)
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture(scope="module")
def daphne(tmp_path_factory):
    with running("daphne", tmp_path_factory.mktemp("daphne")) as server:
        yield server
    assert server.log.read_text() == ""


@pytest.fixture(scope="module")
def uvicorn(tmp_path_factory):
    with running("uvicorn", tmp_path_factory.mktemp("uvicorn")) as server:
        yield server
    assert server.log.read_text() == ""


@pytest.fixture(params=["daphne", "uvicorn"])
def each(request):
    return request.getfixturevalue(request.param)


class Client:
    """A websocket that reads only when told to, with small buffers."""

    def __init__(self, server):
        self.server = server
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", server.port))
        self.protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{server.port}/"))
        self.events = []
        self.protocol.send_request(self.protocol.connect())
        self.flush()
        while self.protocol.state is not State.OPEN:
            self.read()

    def flush(self):
        self.socket.sendall(b"".join(self.protocol.data_to_send()))

    def read(self):
        data = self.socket.recv(65536)
        assert data, "The server has closed the connection."
        self.protocol.receive_data(data)
        self.events += self.protocol.events_received()

    def read_to_the_end(self):
        while True:
            self.read()

    def send(self, text):
        self.protocol.send_text(text.encode())
        self.flush()

    def texts(self):
        return [
            event.data.decode()
            for event in self.events
            if getattr(event, "opcode", None) is Opcode.TEXT
        ]

    def report(self):
        """Return the application's report once it has finished."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.server.port}/") as answer:
                report = json.load(answer)
            if report.get("is_done"):
                return report
            time.sleep(0.05)
        raise AssertionError(report)

    def reset(self):
        """Break the connection without closing it properly."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


@contextmanager
def connected(server):
    client = Client(server)
    with client.socket:
        yield client


def test_a_client_that_reads_late_gets_everything_in_order(each):
    """The kernel takes part of a frame. The server holds the rest and all later frames."""
    with connected(each) as client:
        client.send("fill")
        report = client.report()
        assert report["waiting"] > 0
        while len(client.texts()) < report["sent"]:
            client.read()
        assert client.texts() == [f"{number:0>1000}" for number in range(report["sent"])]


def test_daphne_drops_a_client_that_does_not_read(daphne):
    with connected(daphne) as client:
        client.send("flood")
        report = client.report()
        assert report["ended"] == "websocket.disconnect"
        # Twisted has two buffers, and moves the second into the first when the first runs low.
        assert LONGEST_BACKLOG < report["most_waiting"] < 2 * LONGEST_BACKLOG + 200_000
        with pytest.raises(ConnectionResetError):
            client.read_to_the_end()


def test_writing_to_a_broken_connection_raises_nothing(each):
    client = Client(each)
    client.send("write_after_reset")
    time.sleep(0.3)  # let the server read it
    client.reset()
    report = client.report()
    assert report["is_broken"]
    assert report["was_written"][0]


def test_nothing_is_written_after_a_close(each):
    with connected(each) as client:
        client.send("write_after_close")
        assert client.report()["was_written"] is False
        while client.protocol.close_rcvd is None:
            client.read()
        assert client.protocol.close_rcvd.code == 4000
        assert client.texts() == []


def test_servers_offer_frames(each):
    with connected(each) as client:
        client.send("write_after_close")
        assert client.report()["has_frames"]


@pytest.mark.parametrize("name", SERVERS)
def test_servers_do_not_offer_frames_when_they_are_off(name, tmp_path):
    with running(name, tmp_path, NUMGAMES_FRAMES="off") as server:
        with connected(server) as client:
            client.send("nothing")
            assert not client.report()["has_frames"]
        assert server.log.read_text() == ""
