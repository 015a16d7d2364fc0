"""Prometheus metrics: counters, and gauges that a process fills in when asked."""

from prometheus_client import Counter, Gauge, Histogram

MOVES = Counter("numgames_moves", "Moves and decisions committed by this process")
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
