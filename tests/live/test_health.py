"""Health checks and metrics for operators."""

import json
import re
import urllib.error
import urllib.request

import pytest

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
    with serving(tmp_path_factory.mktemp("data"), NUMGAMES_HTTPS="1") as server:
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
