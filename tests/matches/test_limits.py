"""Token buckets."""

import pytest

from games.matches import limits
from games.matches.limits import Bucket, Limit, network_of
from games.refusals import Refusal


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


def test_each_key_has_its_own_bucket():
    limit = Limit(rate=0, burst=1)
    assert limit.allows("a")
    assert not limit.allows("a")
    assert limit.allows("b")


def test_a_limit_keeps_a_bounded_number_of_buckets_those_used_last(monkeypatch):
    monkeypatch.setattr(limits, "MOST_BUCKETS", 100)
    limit = Limit(rate=0, burst=1)
    assert limit.allows("quiet")
    for number in range(1000):
        limit.allows("busy")
        assert limit.allows(number)
    assert len(limit.buckets) == 100
    assert not limit.allows("busy")
    assert limit.allows("quiet")


def test_a_refusal_says_how_long_to_wait(monkeypatch):
    clock(monkeypatch)
    limit = Limit(rate=0.5, burst=1)
    limit.require("a")
    with pytest.raises(Refusal) as caught:
        limit.require("a")
    assert (caught.value.code, caught.value.status) == ("too_many", 429)
    assert caught.value.retry_after == 2


def test_looking_at_a_bucket_takes_nothing_from_it():
    limit = Limit(rate=0, burst=1)
    assert not limit.is_used_up("a")
    assert not limit.is_used_up("a")
    assert limit.allows("a")
    assert limit.is_used_up("a")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("x" * 100, "x" * 64),
    ],
)
def test_limits_count_by_ipv4_address_and_by_the_64_network_of_ipv6(address, network):
    assert network_of(address) == network


def test_limits_can_be_turned_off_for_load_tests(settings):
    settings.LIMITS = False
    limit = Limit(rate=0, burst=0)
    assert limit.allows("a")


def test_if_one_of_several_buckets_is_empty_nothing_is_taken():
    """A guest above their own limit must not use up the limit of their whole class."""
    guest, network = Limit(rate=0, burst=1), Limit(rate=0, burst=10)
    limits.require_all((network, "class"), (guest, "eager"))
    for _ in range(20):
        with pytest.raises(Refusal):
            limits.require_all((network, "class"), (guest, "eager"))
    assert network.buckets["class"].tokens == 9
    limits.require_all((network, "class"), (guest, "patient"))


def test_a_guest_and_a_network_have_a_limit_for_the_day(monkeypatch):
    now = clock(monkeypatch)
    made, waits = 0, []
    for _ in range(86_400 // 5):
        now[0] += 5
        try:
            limits.require_new_match(7, "192.0.2.1")
            made += 1
        except Refusal as refusal:
            waits.append(refusal.retry_after)
    assert 160 < max(waits) < 86_400 / 500
    # The 500 that a day begins with, and those that come back during the day.
    assert made == pytest.approx(1000, abs=5)
    made = 0
    for second in range(86_400):
        now[0] += 1
        try:
            limits.require_new_match(second, "192.0.2.2")
            made += 1
        except Refusal:
            pass
    assert made == pytest.approx(40_000, abs=5)


def test_a_school_of_600_can_play_all_day(monkeypatch):
    """Everyone plays 32 matches in six hours, half of which they create."""
    now = clock(monkeypatch)
    for number in range(600 * 32):
        now[0] += 6 * 60 * 60 / (600 * 32)
        limits.require_new_match(number % 600, "192.0.2.1")


def test_a_guest_and_a_network_can_ask_the_solver_only_so_often(monkeypatch):
    clock(monkeypatch)
    # Stepping through the longest match and back is nothing unusual.
    for _ in range(200):
        limits.require_thought(7, "192.0.2.1")
    with pytest.raises(Refusal) as caught:
        limits.require_thought(7, "192.0.2.1")
    assert caught.value.code == "too_many"
    for _ in range(400):
        limits.require_thought(None, "192.0.2.1")
    for guest_id in (None, 8):
        with pytest.raises(Refusal):
            limits.require_thought(guest_id, "192.0.2.1")
    limits.require_thought(8, "192.0.2.2")
