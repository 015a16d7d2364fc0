"""Requests that are too long or never end: they are refused, and nobody else notices."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from numgames_site.servers.bounds import LINGER, LONGEST_BODY, LONGEST_HEADERS, LONGEST_REQUEST
from tests.faults.beside import UNHURT, attacked, p99
from tests.faults.process import handles, memory
from tests.faults.raw import ELSEWHERE, raw, read_to_the_end
from tests.live.client import page, post
from tests.serving import serving

SECONDS = 3
# In MB.
FLAT = 15


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(request, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("bodies"), NUMGAMES_SERVER=request.param) as server:
        yield server


def request(*headers, path="/api/guests/", method="POST"):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def answer_to(connection, sent):
    """Send all of this, or as much as the server takes; return the status and body it answers."""
    with suppress(ConnectionError):
        connection.sendall(sent)
    head, _, body = read_to_the_end(connection).partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def chunks(number, size=1024):
    return (b"%x\r\n" % size + b"x" * size + b"\r\n") * number


def body_of(size):
    return b"{}" + b" " * (size - 2)


LENGTH = f"Content-Length: {300 * 1024 * 1024}"


def test_a_long_body_is_refused_before_it_is_sent(server):
    with raw(server) as connection:
        status, body = answer_to(connection, request(LENGTH))
    assert status == 413
    assert json.loads(body)["code"] == "too_large"


def test_a_page_refuses_a_long_body_with_a_text(server):
    with raw(server) as connection:
        status, body = answer_to(connection, request(LENGTH, path="/"))
    assert (status, body) == (413, b"A request has at most 64 KiB.\n")


def test_a_client_that_asks_first_is_not_told_to_continue(server):
    with raw(server) as connection:
        assert answer_to(connection, request(LENGTH, "Expect: 100-continue"))[0] == 413


def test_a_chunked_body_is_refused_as_soon_as_it_is_too_long(server):
    with raw(server) as connection:
        sent = request("Transfer-Encoding: chunked") + chunks(LONGEST_BODY // 1024 + 1)
        status, body = answer_to(connection, sent)
    assert status == 413
    assert json.loads(body)["code"] == "too_large"


def test_a_body_of_many_small_chunks_is_refused(server):
    with raw(server) as connection:
        sent = request("Transfer-Encoding: chunked") + chunks(LONGEST_BODY // 10, 1)
        assert answer_to(connection, sent)[0] == 413


@pytest.mark.parametrize(
    "sent",
    [
        request(f"Content-Length: {LONGEST_BODY}", "Connection: close") + body_of(LONGEST_BODY),
        request("Transfer-Encoding: chunked", "Connection: close")
        + b"%x\r\n%s\r\n0\r\n\r\n" % (LONGEST_BODY, body_of(LONGEST_BODY)),
    ],
    ids=["with a length", "chunked"],
)
def test_a_body_up_to_the_limit_is_read(server, sent):
    with raw(server) as connection:
        assert answer_to(connection, sent)[0] == 201


@pytest.mark.parametrize(
    "headers",
    [[f"X-{n}: {'x' * 1000}" for n in range(LONGEST_HEADERS // 1000 + 1)], ["X: " + "x" * 10**6]],
    ids=["many", "long"],
)
def test_long_headers_are_refused(server, headers):
    with raw(server) as connection:
        assert answer_to(connection, request(*headers, method="GET"))[0] == 431


def test_only_one_request_is_answered_at_a_time(server):
    """daphne answers the others later, uvicorn closes the connection."""
    with raw(server) as connection:
        connection.sendall(request(path="/health/alive/", method="GET") * 3)
        connection.settimeout(1)
        heard = b""
        with suppress(TimeoutError):
            heard = read_to_the_end(connection)
        assert heard.count(b"200 OK") in (0, 1, 3)
    assert page(server, "/health/alive/")[0] == 200


async def test_others_do_not_notice_long_bodies(server, measured):
    """The attacker sends 300 MB again and again, whatever the answer."""
    block = b"x" * (1 << 20)
    kinds = [request(LENGTH), request("Transfer-Encoding: chunked")]

    def attack():
        until = time.monotonic() + SECONDS
        statuses = set()
        for number in range(1_000):
            if time.monotonic() > until:
                return statuses
            with raw(server, ELSEWHERE) as connection, suppress(ConnectionError):
                connection.sendall(kinds[number % 2])
                connection.settimeout(0.2)
                try:
                    for _ in range(300):
                        connection.sendall(b"%x\r\n" % len(block) + block + b"\r\n")
                except TimeoutError:
                    pass
                statuses.add(int(connection.recv(65536).split()[1]))
        return statuses

    before = memory(server.process.pid)
    statuses, moves = await attacked(server, attack)
    after = memory(server.process.pid)
    measured["others' moves, p99, slowest"] = [p99(moves), max(moves)]
    measured["MB before, after"] = round(before), round(after)
    assert statuses == {413}
    assert p99(moves) < UNHURT
    assert after - before < FLAT


SLOW = {
    "nothing": b"",
    "headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "a body": request("Content-Length: 1000"),
    "a chunked body": request("Transfer-Encoding: chunked") + b"3e8\r\n",
}


async def test_a_request_that_takes_too_long_is_ended(server, measured):
    """All of them send a byte every two seconds, except the first, which sends nothing."""

    def trickle(begun):
        begin = time.monotonic()
        heard = b""
        with raw(server, ELSEWHERE, timeout=2) as connection:
            connection.sendall(begun)
            while True:
                try:
                    received = connection.recv(65536)
                    heard += received
                    if not received:
                        return time.monotonic() - begin, heard
                except TimeoutError:
                    connection.sendall(b"x" if begun else b"")
                except ConnectionError:
                    return time.monotonic() - begin, heard

    handles_before = handles(server.process.pid)
    twice = [begun for begun in SLOW.values() for _ in range(2)]
    with ThreadPoolExecutor(len(twice)) as threads:
        loop = asyncio.get_running_loop()
        slow = await asyncio.gather(
            *(loop.run_in_executor(threads, trickle, begun) for begun in twice)
        )
    measured["ended after"] = [seconds for seconds, _ in slow]
    for seconds, heard in slow:
        assert LONGEST_REQUEST - 1 < seconds < LONGEST_REQUEST + LINGER + 2
        assert heard == b"" or heard.startswith(b"HTTP/1.1 408")
    assert [bool(heard) for _, heard in slow] == [False] * 2 + [True] * 6
    assert handles(server.process.pid) <= handles_before + 2


async def test_an_idle_connection_is_ended_and_a_quick_client_may_keep_it(server):
    with raw(server, timeout=LONGEST_REQUEST + 5) as connection:
        for _ in range(3):
            connection.sendall(request(path="/health/alive/", method="GET"))
            await asyncio.sleep(0.5)
            assert b"200 OK" in connection.recv(65536)
        assert connection.recv(65536) == b""
    assert post(server, "/api/guests/")[0] == 201
