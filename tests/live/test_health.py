"""Health checks and metrics for operators."""

import asyncio
import json
import re
import urllib.error
import urllib.request

import pytest

from games.live import health
from games.live.readiness import Readiness
from tests.datastores import redis
from tests.live.client import connected, new_pair
from tests.serving import Server, serving


def get(server, path):
    # A probe uses an IP address, not the site's host name.
    request = urllib.request.Request(server.http + path, headers={"Host": "10.0.0.7"})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def metrics(server):
    """Return every sample, by its name with labels."""
    status, text = get(server, "/metrics/")
    assert status == 200
    return {name: float(value) for name, value in re.findall(r"^(numgames\S+) (\S+)$", text, re.M)}


@pytest.fixture(scope="module")
def https_only(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("data"), NUMGAMES_HTTPS="1", NUMGAMES_HOSTS="play.example"
    ) as server:
        yield server


@pytest.mark.parametrize("path", ["/health/alive/", "/health/ready/"])
def test_a_single_process_is_alive_and_ready_and_answers_without_https(https_only, path):
    assert get(https_only, path)[0] == 200


def test_without_its_redis_a_process_is_alive_but_not_ready(tmp_path):
    with redis() as url:
        pass  # Redis has stopped by now
    server = Server(tmp_path, REDIS_URL=url)
    try:
        assert get(server, "/health/alive/")[0] == 200
        status, text = get(server, "/health/ready/")
    finally:
        server.end()
    assert (status, json.loads(text)["code"]) == (503, "not_ready")
    assert "redis" in json.loads(text)["text"]
    assert "Redis is away" in server.log.read_text()


@pytest.mark.parametrize(
    "headers",
    [{"X-Forwarded-For": "127.0.0.1"}, {"x-forwarded-for": ""}, {"Forwarded": "for=127.0.0.1"}],
)
def test_metrics_are_not_answered_through_a_proxy(server, headers):
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        urllib.request.urlopen(
            urllib.request.Request(f"{server.http}/metrics/", headers=headers), timeout=10
        )
    with refused.value:
        assert "numgames_" not in refused.value.read().decode()


@pytest.mark.parametrize(
    ("client", "local"),
    [
        (["127.0.0.1", 1], True),
        (["127.1.2.3", 1], True),
        (["::1", 1], True),
        (["192.0.2.7", 1], False),
        (["10.0.0.1", 1], False),
        (["::ffff:192.0.2.7", 1], False),
        (["", 1], False),
        (["somewhere", 1], False),
        (None, False),
    ],
)
def test_metrics_are_for_this_machine_unless_opened(settings, client, local):
    scope = {"path": "/metrics/", "client": client, "headers": []}
    assert health.is_for(scope) == local
    settings.METRICS_PUBLIC = True
    assert health.is_for({**scope, "headers": [(b"x-forwarded-for", b"192.0.2.7")]})


class Parts(Readiness):
    """Readiness whose parts are these functions."""

    def __init__(self, **parts):
        super().__init__(None)
        self.parts = lambda: parts


async def test_many_who_ask_at_once_share_one_check_that_is_kept_for_a_moment(monkeypatch):
    asked = []

    async def part():
        asked.append(1)
        await asyncio.sleep(0)

    readiness = Parts(part=part)
    for _ in range(3):
        assert await asyncio.gather(*(readiness.failed_parts() for _ in range(50))) == [[]] * 50
    assert len(asked) == 1
    monkeypatch.setattr("games.live.readiness.KEPT_FOR", 0)
    await readiness.failed_parts()
    assert len(asked) == 2


async def test_a_caller_who_leaves_does_not_end_the_check_of_the_others():
    go = asyncio.Event()
    readiness = Parts(part=go.wait)
    first, second = (asyncio.create_task(readiness.failed_parts()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    go.set()
    assert await second == []


async def test_a_part_that_hangs_is_asked_only_once_until_it_answers(monkeypatch, caplog):
    monkeypatch.setattr("games.live.readiness.KEPT_FOR", 0)
    monkeypatch.setattr("games.live.readiness.LONGEST_WAIT", 0.01)
    asked, go = [], asyncio.Event()

    async def hanging():
        asked.append(1)
        await go.wait()

    readiness = Parts(hanging=hanging)
    for _ in range(5):
        assert await readiness.failed_parts() == ["hanging"]
    assert len(asked) == 1
    go.set()
    assert await readiness.failed_parts() == []
    assert await readiness.failed_parts() == []
    assert len(asked) == 2
    # It was logged once, not for everyone who asked.
    assert [record.getMessage() for record in caplog.records] == ["Not ready: hanging (no answer)"]


async def test_metrics_count_moves_rejections_and_sockets(server):
    before = metrics(server)
    match_id, one, two = new_pair(server, "number-tower-duel")
    async with connected(server, match_id, one) as first, connected(server, match_id, two):
        await first.played(6)
        assert (await first.played(4))["code"] == "not_your_turn"
        during = metrics(server)
        await first.send(type="ping", version=0)
        await first.receive("pong")
        after = metrics(server)
    for name, by in {
        "numgames_moves_total": 1,
        'numgames_rejected_total{code="not_your_turn"}': 1,
        "numgames_commit_batch_size_count": 1,
        "numgames_commit_seconds_count": 1,
        'numgames_sockets{page="match"}': 2,
        "numgames_matches_live": 1,
    }.items():
        assert during[name] - before.get(name, 0) == by, name
    assert after["numgames_resyncs_total"] - during["numgames_resyncs_total"] == 1
    assert after["numgames_redis_reconnects_total"] == 0
