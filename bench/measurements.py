"""Collects measurements slice by slice and computes figures from them.

The systems take turns in slices. Two systems are compared slice by slice, so that anything else
that runs on the machine affects both, and the result is the median of the ratios.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass
class Work:
    """How much was done in how many seconds, and how much CPU time it took."""

    done: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    usage: Counter[str] = field(default_factory=Counter)

    def add(self, done: int, slice_: Mapping[str, Any]) -> None:
        self.done.append(done)
        self.seconds.append(slice_["seconds"])
        self.usage.update(slice_["usage"])

    @property
    def rates(self) -> list[float]:
        return [done / seconds for done, seconds in zip(self.done, self.seconds, strict=True)]

    @property
    def rate(self) -> float:
        return median(self.rates)

    def times(self, other: "Work") -> float:
        """Return the ratio of this rate to another."""
        return median(one / two for one, two in zip(self.rates, other.rates, strict=True))

    @property
    def server_microseconds(self) -> float:
        """CPU time of the server per move: the figure that other programs influence least."""
        return 1e6 * self.usage["server"] / sum(self.done)

    def core(self, what: str) -> float:
        """Return how much of a core something used, in percent."""
        return 100 * self.usage[what] / sum(self.seconds)

    @property
    def strangers(self) -> float:
        """How much of the server's core other programs or the hypervisor used, in percent."""
        return max(0.0, self.core("serverCore") - self.core("server"))


@dataclass
class Moves(Work):
    """Moves, with the milliseconds their senders waited for the update."""

    latencies: list[list[float]] = field(default_factory=list)

    def add_moves(self, played: Mapping[str, Any]) -> None:
        self.add(played["moves"], played)
        self.latencies.append(sorted(played["latencies"]))

    def latency(self, percent: float) -> float:
        """Return the median over all slices of a percentile of the latency."""
        return median(percentile(slice_, percent) for slice_ in self.latencies)

    def latency_times(self, other: "Moves", percent: float) -> float:
        """Return the ratio of this latency to another."""
        return median(
            percentile(one, percent) / percentile(two, percent)
            for one, two in zip(self.latencies, other.latencies, strict=True)
        )


def percentile(ordered: list[float], percent: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


@dataclass
class Results:
    """Results by system; for playing, by system and number of matches at once."""

    playing: dict[tuple[str, int], Moves] = field(default_factory=dict)
    thinking: dict[str, Moves] = field(default_factory=dict)
    watching: dict[str, Work] = field(default_factory=dict)
    idle: dict[str, float] = field(default_factory=dict)
