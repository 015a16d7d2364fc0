"""Prometheus metrics: counters, and gauges that a process fills in when asked."""

from bisect import bisect_left
from collections.abc import Iterator

from prometheus_client import REGISTRY, Counter, Gauge
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector


class LoopCounter(Collector):
    """A counter for the event loop's thread alone. prometheus_client's takes a lock each time."""

    def __init__(self, name: str, documentation: str) -> None:
        self._name, self._documentation = name, documentation
        self.value = 0
        REGISTRY.register(self)

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily(self._name, self._documentation, self.value)


class Histogram(Collector):
    """A histogram for the event loop's thread alone.

    The writer uses two for every batch. prometheus_client's take a lock and a loop over the
    buckets, and both together cost a match that is played alone as much as its rules.
    """

    def __init__(self, name: str, documentation: str, buckets: tuple[float, ...]) -> None:
        self._name, self._documentation, self._buckets = name, documentation, buckets
        self._counts = [0] * (len(buckets) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._buckets, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        up_to, counted = [], 0
        for bound, count in zip((*self._buckets, float("inf")), self._counts, strict=True):
            counted += count
            up_to.append(("+Inf" if bound == float("inf") else str(float(bound)), counted))
        yield HistogramMetricFamily(self._name, self._documentation, up_to, self._sum)


MOVES = LoopCounter("numgames_moves", "Moves and decisions committed by this process")
REJECTED = Counter("numgames_rejected", "Requests that were refused", ["code"])
BATCH_SIZE = Histogram(
    "numgames_commit_batch_size",
    "Matches written in one commit",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
)
COMMIT_SECONDS = Histogram(
    "numgames_commit_seconds",
    "From handing a batch to the database until it is in",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5),
)
RESYNCS = Counter("numgames_resyncs", "Snapshots sent because something had been missed")
REDIS_RECONNECTS = Counter("numgames_redis_reconnects", "Connections to Redis after the first")
SOCKETS = Gauge("numgames_sockets", "Open websockets", ["page"])
MATCHES_LIVE = Gauge("numgames_matches_live", "Matches being played on sockets of this process")
LONGEST_COLLECTION = Gauge(
    "numgames_longest_collection_seconds", "The longest garbage collection of the last minute"
)
PUSHES = Counter("numgames_pushes", "Web push messages, by what became of them", ["result"])
