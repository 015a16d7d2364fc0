"""The computer's part in live matches: it answers like any player, and gives hints.

Its moves go through the writer under ids made from the version, so it does not matter how many
processes think about the same turn: one move counts.
"""

import asyncio
import logging
import random
import time
from typing import Any

from django.conf import settings

from games import selectors, thinking
from games.live import database, protocol
from games.live.held import HeldMatch, Rejected
from games.live.hub import HUB, Hub
from games.live.room import Room
from games.live.socket import Socket
from games.live.writer import WRITER, Writer

logger = logging.getLogger(__name__)

# A computer's turn older than this has been forgotten, by a process that died for instance.
OVERDUE_AFTER = 8.0
LOOK_EVERY = 4.0


class Computer:
    def __init__(self, hub: Hub, writer: Writer) -> None:
        self.hub, self.writer = hub, writer
        # The matches that are being thought about.
        self._thinking: set[str] = set()

    def consider(self, room: Room) -> None:
        """Begin to think, if it is the computer's turn and nobody here thinks about it yet."""
        held = room.held
        if held is not None and held.level_to_move and room.id not in self._thinking:
            self._thinking.add(room.id)
            self.hub.spawn(self._play(room, held))

    async def _play(self, room: Room, held: HeldMatch) -> None:
        """Nobody but the computer can move now; if the match ends, its move is refused."""
        seat, level, version = held.state.turn, held.level_to_move, held.version
        state = held.game.to_json(held.state)
        try:
            await asyncio.sleep(random.uniform(*settings.COMPUTER_PAUSE))
            move = await _thought(thinking.choose, held.row.game, state, level)
            request = protocol.Move(move=move, version=version, id=f"computer-{version}")
            self.writer.submit_for(room, seat, request)
        finally:
            self._thinking.discard(room.id)

    async def look_for_overdue(self) -> None:
        """Turns that nobody thinks about any more."""
        overdue = await database.read(selectors.overdue_computer_turns, time.time() - OVERDUE_AFTER)
        for match_id in overdue:
            if match_id not in self._thinking:
                # Whatever is read is considered.
                await self.hub.load(self.hub.room(match_id))

    async def give_hint(self, room: Room, socket: Socket, request: protocol.Hint) -> None:
        held = room.held
        assert held is not None
        try:
            _check_hint(held, socket, request)
            found = await _thought(thinking.hint, held.row.game, held.game.to_json(held.state))
            socket.push(protocol.hint(request, found))
        except Rejected as rejection:
            socket.push(protocol.rejected(rejection, request.id, held.version))


def _check_hint(held: HeldMatch, socket: Socket, request: protocol.Hint) -> None:
    """Hints are for those who play against the computer, or sit at one table."""
    if not socket.you:
        raise Rejected("spectator", "You are watching this match; only its players can do that.")
    if not (held.row.same_device or held.has_computer):
        raise Rejected("no_hints", "There are no hints in a match between two people.")
    held.must_be_live()
    if request.version != held.version:
        raise Rejected("stale_version", "The match has moved on since. Ask again.")
    if held.state.turn not in socket.you:
        raise Rejected("not_your_turn", "Wait for your turn, then ask.")


async def _thought(function: Any, *args: Any) -> Any:
    return await asyncio.wrap_future(thinking.ask(function, *args))


COMPUTER = Computer(HUB, WRITER)
HUB.when_changed = COMPUTER.consider
HUB.repeat(LOOK_EVERY, COMPUTER.look_for_overdue)
