"""What was measured, slice by slice, and the figures that come of it.

A measurement consists of slices in which the systems take turns. Two systems are compared slice by
slice, so that whatever else the machine did falls on both; the middle one of the ratios counts.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass
class Work:
    """What was done in how many seconds, and what it took of the machine."""

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
        """This rate as a multiple of another."""
        return median(one / two for one, two in zip(self.rates, other.rates, strict=True))

    @property
    def server_microseconds(self) -> float:
        """The server's work for one: the figure that a disturbed machine changes least."""
        return 1e6 * self.usage["server"] / sum(self.done)

    def core(self, what: str) -> float:
        """How much of a core something took, in percent."""
        return 100 * self.usage[what] / sum(self.seconds)

    @property
    def strangers(self) -> float:
        """What others, or the machine below this one, took of the server's core, in percent."""
        return max(0.0, self.core("serverCore") - self.core("server"))


@dataclass
class Moves(Work):
    """Moves, and how long their senders waited for the update, in milliseconds."""

    latencies: list[list[float]] = field(default_factory=list)

    def add_moves(self, played: Mapping[str, Any]) -> None:
        self.add(played["moves"], played)
        self.latencies.append(sorted(played["latencies"]))

    def latency(self, percent: float) -> float:
        """Of all slices: what so many percent of the moves did not exceed."""
        return median(percentile(slice_, percent) for slice_ in self.latencies)

    def latency_times(self, other: "Moves", percent: float) -> float:
        """This latency as a multiple of another."""
        return median(
            percentile(one, percent) / percentile(two, percent)
            for one, two in zip(self.latencies, other.latencies, strict=True)
        )


def percentile(ordered: list[float], percent: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


@dataclass
class Results:
    """By the systems' keys; where matches are played, by their number at once too."""

    playing: dict[tuple[str, int], Moves] = field(default_factory=dict)
    thinking: dict[str, Moves] = field(default_factory=dict)
    watching: dict[str, Work] = field(default_factory=dict)
    idle: dict[str, float] = field(default_factory=dict)
