"""The log: one line per message, as plain text or as JSON, and few lines that say the same."""

import logging
from datetime import UTC, datetime

import msgspec
from prometheus_client import Counter

from games.matches.limits import Bucket

DROPPED = Counter("numgames_log_lines_dropped", "Log lines left out because they repeat others")
# A message is logged this often at once, and then once in this many seconds.
BURST, EVERY = 20, 10.0
# How many different messages are told apart.
MOST_MESSAGES = 200

# The attributes that every record has. Any others were passed as `extra`.
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


class Lines(logging.Formatter):
    """Plain text. Joins messages of several lines, such as PostgreSQL's, but keeps tracebacks."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        record.message = " ".join(record.message.split())
        return super().formatMessage(record)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        extra = {name: str(value) for name, value in vars(record).items() if name not in _USUAL}
        return msgspec.json.encode({**line, **extra}).decode()


class Repeats(logging.Filter):
    """Drops most repetitions of a message, so that nobody can fill the disk by causing one."""

    def __init__(self) -> None:
        super().__init__()
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        # The values that are filled in may differ each time.
        key = record.name, str(record.msg)[:80]
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST_MESSAGES:
                self._buckets.clear()
            bucket = self._buckets[key] = Bucket(1 / EVERY, BURST)
        if bucket.take():
            return True
        DROPPED.inc()
        return False
