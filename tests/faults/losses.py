"""Drop or duplicate messages published on Redis before they reach a process."""

from collections import Counter
from random import Random


def end_of(data: bytes, start: int) -> int | None:
    """Return where a value of the Redis protocol ends, or None if it is incomplete."""
    line = data.find(b"\r\n", start)
    if line < 0:
        return None
    kind, head, end = data[start : start + 1], data[start + 1 : line], line + 2
    if kind in b"$=!":
        if int(head) < 0:
            return end
        end += int(head) + 2
        return end if end <= len(data) else None
    if kind in b"*>~%":
        for _ in range(max(0, int(head)) * (2 if kind == b"%" else 1)):
            after = end_of(data, end)
            if after is None:
                return None
            end = after
    return end


class Losses:
    """Loss and duplication rates; makes a filter for each connection from Redis."""

    def __init__(self, seed: int = 1) -> None:
        self.rng = Random(seed)
        self.lost = self.doubled = 0.0
        self.counts: Counter[str] = Counter()

    def new_filter(self) -> "Filter":
        return Filter(self)

    def fate(self) -> str:
        chance = self.rng.random()
        fate = (
            "lost"
            if chance < self.lost
            else "doubled"
            if chance < self.lost + self.doubled
            else "passed"
        )
        self.counts[fate] += 1
        return fate


class Filter:
    """Drops or duplicates published messages; lets everything else through."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self._rest = b""
        self._again = b""

    def __call__(self, data: bytes) -> bytes:
        self._rest += data
        passed = b""
        while self._rest and (end := end_of(self._rest, 0)) is not None:
            value, self._rest = self._rest[:end], self._rest[end:]
            passed += self._kept(value)
        return passed

    def _kept(self, value: bytes) -> bytes:
        if b"$7\r\nmessage\r\n" not in value[:24]:
            return value
        # A duplicate arrives late, after the next message.
        late, self._again = self._again, b""
        fate = self.losses.fate()
        if fate == "lost":
            return late
        if fate == "doubled":
            self._again = value
        return value + late
