"""Token buckets."""

from games.matches import limits
from games.matches.limits import Bucket, Limit


def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    return now


def test_a_bucket_allows_its_burst_and_then_its_rate(monkeypatch):
    now = clock(monkeypatch)
    bucket = Bucket(rate=2, burst=5)
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]
    now[0] += 1
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now[0] += 1000
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]


def test_each_key_has_its_own_bucket_and_full_ones_are_dropped(monkeypatch):
    now = clock(monkeypatch)
    limit = Limit(rate=1, burst=1)
    assert limit.allows("a")
    assert not limit.allows("a")
    assert limit.allows("b")
    for number in range(5000):
        limit.allows(number)
        now[0] += 1
    assert len(limit.buckets) <= 1001


def test_limits_can_be_turned_off_for_load_tests(settings):
    settings.LIMITS = False
    limit = Limit(rate=0, burst=0)
    assert limit.allows("a")
