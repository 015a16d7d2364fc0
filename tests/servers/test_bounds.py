"""The limits on connections, which both servers apply."""

import json
import socket
import subprocess
import sys

import pytest

from games.live import descriptors
from numgames_site.servers import bounds
from numgames_site.servers.bounds import TOO_LARGE, Connections, answer
from tests.serving import ROOT


class Connection:
    def __init__(self, connections, address="192.0.2.1", descriptor=10):
        self.codes = []
        connections.come(self, address, descriptor)

    def turn_away(self, refusal):
        """Close, as servers do: they report the end later."""
        self.codes.append(refusal.code)


@pytest.fixture
def has_sent():
    """The descriptors of clients that have sent something."""
    return set()


@pytest.fixture
def connections(monkeypatch, has_sent):
    monkeypatch.setattr(bounds, "has_sent_more", has_sent.__contains__)
    made = Connections()
    made.by_address, made.highest_descriptor = 3, 100
    return made


def test_the_connection_of_an_address_that_has_waited_longest_makes_room(connections):
    other = Connection(connections, "192.0.2.2")
    first, second, third = (Connection(connections) for _ in range(3))
    connections.work(first)
    new = Connection(connections)
    assert [one.codes for one in (other, first, second, third, new)] == [
        [],
        [],
        ["site_full"],
        [],
        [],
    ]


def test_each_new_connection_closes_another_one(connections):
    everyone = [Connection(connections) for _ in range(10)]
    assert [one.codes for one in everyone] == [["site_full"]] * 7 + [[]] * 3


def test_a_connection_that_was_used_again_has_not_waited_long(connections):
    first, second, _ = (Connection(connections) for _ in range(3))
    connections.work(first)
    connections.wait(first)
    Connection(connections)
    assert (first.codes, second.codes) == ([], ["site_full"])


def test_a_new_connection_is_refused_if_all_others_are_being_answered(connections):
    for _ in range(3):
        one = Connection(connections)
        connections.work(one)
    assert Connection(connections).codes == ["site_full"]


def test_behind_a_proxy_addresses_are_not_counted(connections, settings):
    settings.PROXY = True
    assert not any(Connection(connections).codes for _ in range(20))


def test_if_descriptors_run_out_the_one_that_has_waited_longest_makes_room(connections):
    first, second = (Connection(connections, f"192.0.2.{number}") for number in range(2))
    new = Connection(connections, "192.0.2.9", descriptor=101)
    assert [one.codes for one in (first, second, new)] == [["site_full"], [], []]


def test_connections_that_have_gone_are_forgotten(connections):
    everyone = [Connection(connections) for _ in range(3)]
    for one in everyone:
        connections.go(one)
        connections.go(one)
    assert (connections._open, connections._by_address, connections._waiting_at) == ({}, {}, {})
    assert not connections._waiting


def test_a_client_that_has_sent_its_request_does_not_have_to_go(connections, has_sent):
    has_sent.add(11)
    sent, silent = Connection(connections, descriptor=11), Connection(connections)
    has_sent.add(12)
    Connection(connections, descriptor=12)
    new = Connection(connections)
    assert [one.codes for one in (sent, silent, new)] == [[], ["site_full"], []]


def test_what_a_client_has_sent_is_noticed_before_it_is_read():
    here, there = socket.socketpair()
    with here, there:
        assert not bounds.has_sent_more(here.fileno())
        there.sendall(b"x")
        assert bounds.has_sent_more(here.fileno())


@pytest.mark.parametrize("path", [b"/api/guests/", b"/"])
def test_the_api_gets_json_and_everyone_else_a_text(path):
    head, _, body = answer(TOO_LARGE, path).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"Content-Length: %d" % len(body) in head
    if path == b"/":
        assert body.decode() == f"{TOO_LARGE.text}\n"
    else:
        assert json.loads(body)["code"] == "too_large"


def test_the_soft_limit_is_raised_to_the_hard_one():
    """In another process, because a limit that was lowered can't be raised again."""
    script = """
import resource
from games.live import descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300))
descriptors.raise_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE), descriptors.limit())
"""
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.split("\n")[0] == "(300, 300) 300", ran.stderr


@pytest.mark.parametrize("limit", [256, 1024, 20_000, 65_536])
def test_there_are_descriptors_for_clients_and_for_the_site_itself(monkeypatch, limit):
    monkeypatch.setattr(descriptors, "limit", lambda: limit)
    assert descriptors.for_clients() > limit // 3
    assert descriptors.highest_for_clients() + descriptors.backlog() + 64 <= limit
