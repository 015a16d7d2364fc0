"""Log lines for programs: one JSON object each."""

import logging
from datetime import UTC, datetime

import msgspec

# What every record has; whatever else is there was given as `extra`.
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


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
