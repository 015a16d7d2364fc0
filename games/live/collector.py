"""Keeps Python's garbage collector from stopping the process for long.

Reference counts free nearly everything at once. The collector only looks for objects that refer to
each other in a circle, and a full collection looks at every object: with ten thousand sockets that
takes 0.2 seconds, in which no move is answered. So what has survived a collection is frozen: the
collector never looks at it again. Sockets and matches are still freed by their reference counts. If
something was part of a circle when it was frozen, a complete collection finds it: when nobody is
connected, when few are and much may have been left behind, or, rarely, because memory has a limit.
"""

import gc
import time
from collections.abc import Callable
from typing import Any

# The collector looks at this many new objects at once, and at ten times as many that survived that:
# at most 24 ms, measured with 10,000 sockets. The third number makes it look at all that isn't
# frozen just as often.
THRESHOLDS = 1_000, 10, 1
# A collection that takes longer has found much that stays. The next one skips it.
SHORT = 0.004
# After freezing this often, many thousands of sockets later, something may have been left behind.
# While ten thousand arrived on uvicorn, it was 80 objects each time.
MANY_FREEZES = 200
# With three times as many on uvicorn, a complete collection takes 20 ms.
FEW = 100
# By now up to half a million objects may have been left behind, about 50 MB. One pause of 0.2 s,
# or 0.8 s on daphne, with ten thousand sockets is better than a process that grows without end.
MOST_FREEZES = 6_000
TIDY_EVERY = 30.0


class Collector:
    def __init__(self, count_sockets: Callable[[], int]) -> None:
        self._count_sockets = count_sockets
        self.freezes = 0
        self._began = 0.0
        self._longest = self._longest_before = 0.0

    def start(self) -> None:
        """Freeze what has been loaded by now, and collect later objects in small steps."""
        self._collect_all()
        gc.set_threshold(*THRESHOLDS)
        gc.callbacks.append(self._watch)

    @property
    def longest(self) -> float:
        """The seconds that the longest collection took in the last half to whole minute."""
        return max(self._longest, self._longest_before)

    async def tidy(self) -> None:
        """Look at everything, if nobody notices or if it is worth a pause."""
        self._longest_before, self._longest = self._longest, 0.0
        if self.freezes and self._may_pause():
            self._collect_all()

    def _may_pause(self) -> bool:
        if self.freezes >= MOST_FREEZES:
            return True
        return self._count_sockets() <= (FEW if self.freezes >= MANY_FREEZES else 0)

    def _collect_all(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self.freezes = 0

    def _watch(self, phase: str, info: dict[str, Any]) -> None:
        # In whatever thread this is, all others wait.
        if phase == "start":
            self._began = time.perf_counter()
            return
        took = time.perf_counter() - self._began
        self._longest = max(self._longest, took)
        if info["generation"] == 2 and took > SHORT:
            gc.freeze()
            self.freezes += 1
