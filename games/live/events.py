"""Events in a process, and the functions that listen to them.

Listeners are called at once, in the order in which they were added, on the event loop. They must be
quick, because moves wait for them; anything slow belongs in a task. If a listener fails, the error
is logged and the other listeners are still called.

    stop = process.events.finished.listen(count_the_win)
"""

import logging
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from games.live.live_match import LiveMatch

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Event(Generic[T]):
    __slots__ = ("_listeners", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        # A tuple, because a listener may stop listening while it is being called.
        self._listeners: tuple[Callable[[T], None], ...] = ()

    def listen(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Call this function whenever the event happens; return a function that stops it."""
        self._listeners = (*self._listeners, listener)

        def stop() -> None:
            self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    def __call__(self, what: T) -> None:
        """Call all listeners, because the event has happened."""
        for listener in self._listeners:
            try:
                listener(what)
            except Exception:
                logger.exception("A listener to %r failed", self.name)


class Concern(NamedTuple):
    """A match, and the guests for whom it is new or has changed."""

    match_id: str
    guests: tuple[int, ...]


class Events:
    def __init__(self) -> None:
        # A match loaded here has changed: it was loaded or reloaded, or an action was added, no
        # matter which process committed the action.
        self.changed: Event[LiveMatch] = Event("changed")
        # A match loaded here has ended. This happens once in the process that committed the last
        # action, and once in every other process that had the match loaded before its end. So if a
        # listener writes something, it must be safe to do so twice. It does not happen for a match
        # that is already over when it is first loaded.
        self.finished: Event[LiveMatch] = Event("finished")
        # A match that is not loaded here has changed. The value is its id.
        self.changed_unseen: Event[str] = Event("changed_unseen")
        # A match was created or joined by these guests, here or elsewhere.
        self.concerned: Event[Concern] = Event("concerned")
        # The number of a match's spectators may have changed, here or elsewhere. The value is the
        # match's id.
        self.watched: Event[str] = Event("watched")
