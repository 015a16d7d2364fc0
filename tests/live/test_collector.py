"""The collector looks at new objects only, and at everything when nobody notices."""

import gc
import weakref

import pytest

from games.live import collector
from games.live.collector import FEW, MANY_FREEZES, MOST_FREEZES, THRESHOLDS, Collector


class Circle:
    def __init__(self):
        self.itself = self


@pytest.fixture
def started():
    """A collector of a process that has `sockets`."""
    before = gc.get_threshold()
    one = Collector(lambda: one.sockets)
    one.sockets = 1
    one.start()
    yield one
    gc.callbacks.remove(one._watch)
    gc.set_threshold(*before)
    gc.unfreeze()


def test_what_survives_a_long_collection_is_frozen(started, monkeypatch):
    monkeypatch.setattr(collector, "SHORT", -1.0)
    kept = [Circle() for _ in range(100)]
    gc.collect()
    assert started.freezes == 1
    assert not {id(one) for one in kept} & {id(one) for one in gc.get_objects()}
    assert gc.get_threshold() == THRESHOLDS


def test_a_short_collection_freezes_nothing(started, monkeypatch):
    monkeypatch.setattr(collector, "SHORT", 1000.0)
    kept = Circle()
    gc.collect()
    assert started.freezes == 0
    assert any(one is kept for one in gc.get_objects())
    assert 0 < started.longest < 1000


@pytest.mark.parametrize(("sockets", "freezes"), [(0, 1), (FEW, MANY_FREEZES)])
async def test_frozen_circles_are_found_when_nobody_is_connected_or_few_after_many_freezes(
    started, monkeypatch, sockets, freezes
):
    monkeypatch.setattr(collector, "SHORT", -1.0)
    circle = Circle()
    gone = weakref.ref(circle)
    gc.collect()
    del circle
    await started.tidy()
    assert gone() is not None
    started.sockets, started.freezes = sockets + 1, freezes
    await started.tidy()
    assert gone() is not None
    started.sockets = sockets
    await started.tidy()
    assert gone() is None
    assert started.freezes == 0


async def test_memory_has_a_limit_however_many_are_connected(started):
    started.sockets, started.freezes = 10_000, MOST_FREEZES - 1
    await started.tidy()
    assert started.freezes == MOST_FREEZES - 1
    started.freezes += 1
    await started.tidy()
    assert started.freezes == 0
