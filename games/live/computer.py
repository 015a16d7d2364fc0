"""The computer player in live matches: it moves like any player, and gives hints.

Its moves go through the writer with ids made from the version. So several processes may think about
the same turn, and only one move counts.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings

from games.live import protocol
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.metrics import REJECTED
from games.live.socket import Socket
from games.live.writer import Writer, seats_of_player
from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking import pool
from games.thinking.asking import LONGEST_THOUGHT, think

logger = logging.getLogger(__name__)

R = TypeVar("R")

NO_HINTS = Template(_("There are no hints in a match between two people."))
MOVED_ON = Template(_("The match has moved on. Ask again."))
NOT_YOUR_TURN = Template(_("Wait for your turn, then ask."))
NO_HINT = Template(_("Something went wrong, and there is no hint this time. Try again."))

# If the computer's turn is older than this, it was dropped, for example by a process that died.
OVERDUE_AFTER = 8.0
LOOK_EVERY = 4.0


class Computer:
    longest_thought = LONGEST_THOUGHT

    def __init__(self, hub: Hub, writer: Writer) -> None:
        self.hub, self.writer = hub, writer
        # The ids of the matches it is choosing a move for.
        self._thinking: set[str] = set()

    def consider(self, live: LiveMatch) -> None:
        """Start thinking if it's the computer's turn and we aren't thinking about it yet."""
        loaded = live.loaded
        if loaded is not None and loaded.level_to_move and live.id not in self._thinking:
            self._thinking.add(live.id)
            self.hub.tasks.spawn(self._play(live, loaded))

    async def _play(self, live: LiveMatch, loaded: LoadedMatch) -> None:
        """Choose a move and play it. If the match ends in the meantime, the move is refused."""
        seat, level, version = loaded.state.turn, loaded.level_to_move, loaded.version
        state = loaded.game.to_json(loaded.state)
        try:
            if level is None:
                # Another process has moved for the computer since this task started.
                return
            await asyncio.sleep(random.uniform(*settings.COMPUTER_PAUSE))
            move = await self._think(pool.choose, loaded.row.game, state, level)
            request = protocol.Move(move=move, version=version, id=f"computer-{version}")
            self.writer.submit_for(live, seat, request)
        except Refusal as refusal:
            # `look_for_overdue` will retry.
            logger.warning("The computer could not move: %s", refusal, extra={"match": live.id})
        finally:
            self._thinking.discard(live.id)

    async def look_for_overdue(self) -> None:
        """Find turns of the computer that were dropped, and take them up."""
        overdue = await database.read(selectors.overdue_computer_turns, time.time() - OVERDUE_AFTER)
        for match_id in overdue:
            if match_id not in self._thinking:
                # Loading announces a change, which calls `consider`.
                await self.hub.load(self.hub.live_match(match_id))

    async def give_hint(self, live: LiveMatch, socket: Socket, request: protocol.Hint) -> None:
        """Answer with a hint, or with the reason for not giving one."""
        loaded = live.loaded
        assert loaded is not None
        try:
            _check_hint(loaded, socket, request)
            state = loaded.game.to_json(loaded.state)
            found = await self._think(pool.hint, loaded.row.game, state)
            socket.push(protocol.hint(request, found))
            return
        except Refusal as known:
            refusal = known
        except Exception:
            logger.exception("A hint failed", extra={"match": live.id})
            refusal = Refusal("server_error", NO_HINT())
        REJECTED.labels(refusal.code).inc()
        socket.push(protocol.rejected(refusal, request.id, loaded.version))

    async def _think(self, function: Callable[..., R], *args: Any) -> R:
        return await think(function, *args, seconds=self.longest_thought)


def _check_hint(loaded: LoadedMatch, socket: Socket, request: protocol.Hint) -> None:
    """Refuse hints in a match between two people, and outside the player's turn."""
    seats = seats_of_player(socket)
    if not (loaded.row.same_device or loaded.has_computer):
        raise Refusal("no_hints", NO_HINTS())
    loaded.must_be_live()
    if request.version != loaded.version:
        raise Refusal("stale_version", MOVED_ON())
    if loaded.state.turn not in seats:
        raise Refusal("not_your_turn", NOT_YOUR_TURN())
