"""How much a client may send on a websocket."""

import pytest
from websockets.frames import Frame, Opcode

from games.live.meter import BURST, BYTES_PER_FRAME, RATE, TOO_LONG, TOO_MANY, USUAL, Meter
from games.matches import limits

PING = Frame(Opcode.PING, b"").serialize(mask=True)


@pytest.fixture
def clock(monkeypatch):
    """A clock that only tests move."""
    now = [0.0]
    monkeypatch.setattr("games.matches.limits.time.monotonic", lambda: now[0])
    return now


@pytest.fixture
def codes():
    """The close codes that the meter has asked for."""
    return []


@pytest.fixture
def meter(codes):
    return Meter(codes.append)


@pytest.mark.parametrize("opcode", [Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.PONG])
def test_frames_of_every_kind_count(clock, meter, codes, opcode):
    frame = Frame(opcode, b"").serialize(mask=True)
    admitted = sum(meter.admits(frame) for _ in range(2 * BURST))
    assert BURST - 10 <= admitted <= BURST
    assert codes == [TOO_MANY]


def test_empty_continuations_count(clock, meter, codes):
    meter.admits(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
    more = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
    assert not meter.admits(more * BURST)
    assert codes == [TOO_MANY]


def test_bytes_count(clock, meter):
    size = 60_000
    large = Frame(Opcode.TEXT, b"x" * size).serialize(mask=True)
    admitted = sum(meter.admits(large) for _ in range(BURST))
    assert admitted == BURST * BYTES_PER_FRAME // (size + BYTES_PER_FRAME)


def test_nothing_is_admitted_after_a_flood(clock, meter, codes):
    assert not meter.admits_frames(BURST + 1, 0)
    clock[0] += 3600
    assert not meter.admits(PING)
    assert not meter.admits_frames(1, 0)
    assert codes == [TOO_MANY]


def test_a_message_that_is_too_long_ends_with_its_own_code(clock, meter, codes):
    assert not meter.admits(Frame(Opcode.TEXT, b"x" * 140_000).serialize(mask=True)[:14])
    assert codes == [TOO_LONG]


def sockets(number, *, guest_id=None, address="192.0.2.7"):
    meters = [Meter() for _ in range(number)]
    for meter in meters:
        meter.guest_id, meter.address = guest_id, address
    return meters


def test_a_class_of_600_behind_one_address_is_never_stopped(clock, settings):
    """Two pages each, a ping every 2.5 seconds, a move a second, and all of them in a hurry."""
    settings.LIMITS = True
    meters = sockets(1200)
    for second in range(60):
        clock[0] += 1
        for number, meter in enumerate(meters):
            assert meter.admits_frames(1, 60)
            if (second + number) % 2 == 0:
                assert meter.admits(PING)
            if second % 20 == 0:
                assert all(meter.admits_frames(1, 60) for _ in range(USUAL // 2))
    assert "192.0.2.7" not in limits.MESSAGES_BY_ADDRESS.buckets


@pytest.mark.parametrize(
    ("whose", "limit"),
    [
        ({"guest_id": 7, "address": None}, limits.MESSAGES_BY_GUEST),
        ({"address": "192.0.2.7"}, limits.MESSAGES_BY_ADDRESS),
    ],
)
def test_many_busy_sockets_are_stopped_together_and_quiet_ones_are_not(
    clock, settings, whose, limit
):
    settings.LIMITS = True
    busy, quiet = sockets(100, **whose), sockets(100, **whose)
    admitted = sum(meter.admits_frames(1, 0) for _ in range(BURST // 2) for meter in busy)
    assert 100 * USUAL < admitted <= 100 * USUAL + limit.burst + 100
    assert all(meter.is_over for meter in busy)
    for _ in range(60):
        clock[0] += 2.5
        assert all(meter.admits(PING) for meter in quiet)


def test_a_program_that_plays_one_match_after_the_other_at_full_speed_is_not_stopped(
    clock, settings
):
    settings.LIMITS = True
    for _ in range(100):
        [meter] = sockets(1, guest_id=7)
        for _ in range(100):
            clock[0] += 0.005
            assert meter.admits_frames(1, 60)


def test_load_tests_can_turn_the_limits_off_that_sockets_share(clock, settings):
    settings.LIMITS = False
    meters = sockets(100, guest_id=7)
    assert all(meter.admits_frames(BURST - 1, 0) for meter in meters)
    assert not any(meter.admits_frames(2, 0) for meter in meters)


def test_a_client_may_go_on_slowly(clock, meter):
    assert meter.admits_frames(BURST - 1, 0)
    clock[0] += 10
    assert meter.admits_frames(10 * RATE, 0)
    assert not meter.admits_frames(10, 0)
