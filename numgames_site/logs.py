"""Log formatters: one line per message, as plain text or as JSON."""

import logging
from datetime import UTC, datetime

import msgspec

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
