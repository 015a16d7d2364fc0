"""What happens in a process, for the parts that want to know.

A listener is called at once, in the order of `listen`, on the event loop. It must be quick: moves
wait for it. What takes longer it starts as a task. If it fails, that is logged, and the other
listeners are still called.

    stop = process.events.finished.listen(count_the_win)
"""

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

from games.live.live_match import LiveMatch

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Event(Generic[T]):
    __slots__ = ("_listeners", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        # A tuple: a listener may stop listening while it is being called.
        self._listeners: tuple[Callable[[T], None], ...] = ()

    def listen(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Call this function whenever it happens; return a function that ends that."""
        self._listeners = (*self._listeners, listener)

        def stop() -> None:
            self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    def __call__(self, what: T) -> None:
        """It has happened: call everyone who listens."""
        for listener in self._listeners:
            try:
                listener(what)
            except Exception:
                logger.exception("A listener to %r failed", self.name)


class Events:
    def __init__(self) -> None:
        # A match loaded here has changed: it was loaded or reloaded, or an action was added, no
        # matter which process committed it.
        self.changed: Event[LiveMatch] = Event("changed")
        # A match loaded here has ended: once for each match in the process that committed its last
        # action, and once in every other process that had it loaded before its end. So a listener
        # that writes something must be able to do it twice. A match that is over when it is loaded
        # for the first time was announced by others.
        self.finished: Event[LiveMatch] = Event("finished")
        # A match that is not loaded here has changed; its id.
        self.changed_unseen: Event[str] = Event("changed_unseen")
        # The number of a match's spectators may have changed, here or elsewhere; its id.
        self.watched: Event[str] = Event("watched")
