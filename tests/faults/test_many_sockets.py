"""Many people have a match open and do nothing: others don't notice."""

import time
from contextlib import ExitStack

import pytest
from websockets.frames import Frame, Opcode

from tests.faults.beside import UNHURT, attacked, p99
from tests.faults.metrics import await_no_sockets, metric
from tests.faults.raw import ELSEWHERE, RawSocket
from tests.live.client import new_pair
from tests.serving import serving

PING = Frame(Opcode.TEXT, b'{"type":"ping","version":0}').serialize(mask=True)
# The longest that the collector may stop everything, in seconds.
LONGEST_COLLECTION = 0.05
# Enough for several complete collections.
COMING = 400
# How many objects a socket may leave. Without letting go of everything, it is 60 or more.
MOST_LEFT = 5
COLLECTED = "python_gc_objects_collected_total"
COLLECTIONS = 'python_gc_collections_total{generation="2"}'


@pytest.mark.parametrize("name", ["daphne", "uvicorn"])
@pytest.mark.parametrize(
    ("sockets", "seconds"), [(400, 3), pytest.param(5000, 20, marks=pytest.mark.faults_long)]
)
async def test_others_do_not_notice_sockets_that_wait(tmp_path, measured, name, sockets, seconds):
    with serving(tmp_path, NUMGAMES_SERVER=name, NUMGAMES_LIMITS="off") as server:
        match_id, *_ = new_pair(server)
        path = f"/ws/match/{match_id}/"

        def wait():
            with ExitStack() as stack:
                opened = [
                    stack.enter_context(RawSocket(server, path, ELSEWHERE)) for _ in range(sockets)
                ]
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    for number, one in enumerate(opened):
                        one.connection.sendall(PING)
                        if number % 20 == 0:
                            time.sleep(2.5 * 20 / sockets)
                return collection(server)

        longest, moves = await attacked(server, wait)
        measured["others' moves, p99, slowest"] = [p99(moves), max(moves)]
        measured["longest collection"] = longest
        assert longest < LONGEST_COLLECTION
        assert p99(moves) < UNHURT


def test_closed_sockets_leave_nothing_for_the_collector_on_daphne(tmp_path, measured):
    """Otherwise the collector would stop everything to free them, while others arrive.

    On uvicorn this is `tests/live/test_open_sockets.py`.
    """
    with serving(tmp_path, NUMGAMES_SERVER="daphne", NUMGAMES_LIMITS="off") as server:
        match_id, *_ = new_pair(server)

        def come_and_go():
            with ExitStack() as stack:
                for _ in range(COMING):
                    stack.enter_context(RawSocket(server, f"/ws/match/{match_id}/", ELSEWHERE))
            await_no_sockets(server)
            # daphne looks once a second for connections that have closed.
            time.sleep(1.2)

        come_and_go()
        before = metric(server, COLLECTED), metric(server, COLLECTIONS)
        # While the second of these come, the collector looks at what the first have left.
        come_and_go()
        come_and_go()
        assert metric(server, COLLECTIONS) > before[1]
        left = (metric(server, COLLECTED) - before[0]) / (2 * COMING)
        measured["objects left by a socket"] = left
        assert left < MOST_LEFT


def collection(server):
    return metric(server, "numgames_longest_collection_seconds")
