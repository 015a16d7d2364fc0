"""Hints on a player's turn, against the computer or on one device."""

import asyncio
import logging

from games.live import fairness, protocol
from games.live.hub import Hub
from games.live.live_match import LiveMatch
from games.live.metrics import REJECTED
from games.live.socket import Socket
from games.live.writer import seats_of_player
from games.matches import limits
from games.matches.loaded_match import LoadedMatch
from games.refusals import Refusal
from games.sentences import Template
from games.sentences import gettext_noop as _
from games.thinking import pool
from games.thinking.asking import Asker, Thinking

logger = logging.getLogger(__name__)

NO_HINTS = Template(_("There are no hints in a match between two people."))
MOVED_ON = Template(_("The match has moved on. Ask again."))
NOT_YOUR_TURN = Template(_("Wait for your turn, then ask."))
NO_HINT = Template(_("Something went wrong, and there is no hint this time. Try again."))


class Hints:
    def __init__(self, hub: Hub, thinking: Thinking) -> None:
        self.hub, self.thinking = hub, thinking
        # What each socket is waiting for.
        self._asked: dict[Socket, set[asyncio.Task[None]]] = {}

    def ask(self, live: LiveMatch, socket: Socket, request: protocol.Hint) -> None:
        """Answer with a hint, or with the reason for not giving one, unless the socket closes."""
        task = self.hub.tasks.spawn(self.give(live, socket, request))
        self._asked.setdefault(socket, set()).add(task)
        task.add_done_callback(lambda task: self._answered(socket, task))

    def leave(self, socket: Socket) -> None:
        """Drop this socket's questions, because it was closed."""
        for task in self._asked.pop(socket, ()):
            task.cancel()

    def _answered(self, socket: Socket, task: asyncio.Task[None]) -> None:
        if tasks := self._asked.get(socket):
            tasks.discard(task)
            if not tasks:
                del self._asked[socket]

    async def give(self, live: LiveMatch, socket: Socket, request: protocol.Hint) -> None:
        loaded = live.loaded
        assert loaded is not None
        try:
            socket.push(protocol.hint(request, await self._found(loaded, socket, request)))
            return
        except Refusal as known:
            refusal = known
        except Exception:
            logger.exception("A hint failed", extra={"match": live.id})
            refusal = Refusal("server_error", NO_HINT())
        REJECTED.labels(refusal.code).inc()
        socket.push(protocol.rejected(refusal, request.id, loaded.version))

    async def _found(
        self, loaded: LoadedMatch, socket: Socket, request: protocol.Hint
    ) -> dict[str, object]:
        check_hint(loaded, socket, request)
        asker = Asker(socket.guest_id, socket.address)
        slug, state = loaded.row.game, loaded.state
        limits.require_thought(asker.guest_id, asker.network)
        fairness.check_help(self.hub, asker, slug, state)
        return await self.thinking.ask(
            asker,
            ("hint", slug, state),
            lambda run: run(pool.hint, slug, loaded.game.to_json(state)),
        )


def check_hint(loaded: LoadedMatch, socket: Socket, request: protocol.Hint) -> None:
    """Refuse hints in a match between two people, and outside the player's turn."""
    seats = seats_of_player(socket)
    if not (loaded.row.same_device or loaded.has_computer):
        raise Refusal("no_hints", NO_HINTS())
    loaded.must_be_live()
    if request.version != loaded.version:
        raise Refusal("stale_version", MOVED_ON())
    if loaded.state.turn not in seats:
        raise Refusal("not_your_turn", NOT_YOUR_TURN())
