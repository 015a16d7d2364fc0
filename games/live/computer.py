"""The computer player in live matches: it moves like any player.

Its moves go through the writer with ids made from the version. So several processes may think about
the same turn, and only one move counts.
"""

import asyncio
import logging
import random
import time

from django.conf import settings

from games.live import protocol
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.writer import Writer
from games.matches import database, selectors
from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal
from games.rules import Move
from games.thinking.asking import Thinking

logger = logging.getLogger(__name__)

# If the computer's turn is older than this, it was dropped, for example by a process that died.
OVERDUE_AFTER = 8.0
LOOK_EVERY = 4.0


class Computer:
    def __init__(self, hub: Hub, writer: Writer, thinking: Thinking) -> None:
        self.hub, self.writer, self.thinking = hub, writer, thinking
        # The ids of the matches it is choosing a move for.
        self._thinking: set[str] = set()
        # Those in which this process had to give up a turn.
        self._given_up: set[str] = set()
        # Where the next look for overdue turns starts.
        self._look_from = 0

    def consider(self, live: LiveMatch) -> None:
        """Start thinking if it's the computer's turn and we aren't thinking about it yet."""
        loaded = live.loaded
        if loaded is not None and loaded.level_to_move and live.id not in self._thinking:
            self._thinking.add(live.id)
            self.hub.tasks.spawn(self._play(live, loaded))

    async def _play(self, live: LiveMatch, loaded: LoadedMatch) -> None:
        """Choose a move and play it. If the match ends in the meantime, the move is refused."""
        seat, version = loaded.state.turn, loaded.version
        try:
            move = await self._choose(live, loaded)
            if move is not None:
                request = protocol.Move(move=move, version=version, id=f"computer-{version}")
                self.writer.submit_for(live, seat, request)
        except Refusal as refusal:
            # `look_for_overdue` will retry.
            self._given_up.add(live.id)
            logger.warning("The computer could not move: %s", refusal, extra={"match": live.id})

    async def _choose(self, live: LiveMatch, loaded: LoadedMatch) -> Move | None:
        """Choose a move; None if another process has moved since this task started."""
        level, state = loaded.level_to_move, loaded.game.to_json(loaded.state)
        try:
            if level is None:
                return None
            await asyncio.sleep(random.uniform(*settings.COMPUTER_PAUSE))
            return await self.thinking.choose_move(
                network_of_players(live), loaded.row.game, state, level
            )
        finally:
            # Before the move is submitted: it may be saved at once, and lead to the next turn.
            self._thinking.discard(live.id)

    async def look_for_overdue(self) -> None:
        """Find turns of the computer that were dropped, and take them up.

        Those that this process gave up come first. Each look at the database is at a few matches,
        so that it takes no longer on a large site, and the next look is at those after them.
        """
        overdue = await database.read(
            selectors.overdue_computer_turns, time.time() - OVERDUE_AFTER, self._look_from
        )
        self._look_from = overdue.next
        given_up, self._given_up = self._given_up, set()
        for match_id in given_up.union(overdue.match_ids) - self._thinking:
            # Loading announces a change, which calls `consider`.
            await self.hub.load(self.hub.live_match(match_id))


def network_of_players(live: LiveMatch) -> str:
    """Return the network from which this match is played; matches that nobody is in share one."""
    return next((socket.address for socket in live.players), "")
