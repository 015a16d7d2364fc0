"""A client that behaves like the site's own pages and remembers everything it was shown.

Modelled on `net/connect.js`, `net/follow.js` and `pages/match.js` in static/js: it reconnects,
resends an unanswered move with the same id, and ignores outdated messages.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from random import random
from typing import Any

import msgspec
import websockets
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.live.client import apply

# How often pings and a pending move are sent.
BEAT_EVERY = 2.5
SILENT_AFTER = 9.0
FIRST_PAUSE = 0.3
LONGEST_PAUSE = 5.0

# Don't reconnect after these close codes.
FINAL = {4401, 4404}

Address = Callable[[], str]
# An action as it was shown: seat, move, decision.
Shown = tuple[int, Any, Any]


class Player:
    """A client in a match: a player if it has a token, otherwise a spectator."""

    def __init__(
        self,
        address: Address,
        match_id: str,
        token: str | None = None,
        *,
        beats: bool = True,
        network: str | None = None,
    ) -> None:
        self.address, self.match_id, self.token = address, match_id, token
        # Where it seems to come from, if the server trusts a proxy's header.
        self.network = network
        self.board: dict[str, Any] | None = None
        self.presence: dict[str, Any] | None = None
        self.pending: dict[str, Any] | None = None
        self.refusals: list[dict[str, Any]] = []
        self.closings: list[int | None] = []
        # Every action it was shown, by version; the versions that arrived as updates; and the
        # versions of its own acknowledged requests, by request id.
        self.shown: dict[int, Shown] = {}
        self.updates: set[int] = set()
        self.acknowledged: dict[str, int] = {}
        # True once a snapshot has arrived on the current connection.
        self.is_connected = False
        self.news = asyncio.Event()
        self._ids = (f"{secrets.token_hex(4)}-{n}" for n in count(1))
        self._own_ids: set[str] = set()
        self._socket: websockets.ClientConnection | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._heard = 0.0
        # The connection went silent and was dropped: reconnect without a delay.
        self._abandoned = False
        self._tasks = [asyncio.create_task(self._stay_connected())]
        if beats:
            self._tasks.append(asyncio.create_task(self._beat()))

    def __str__(self) -> str:
        board = self.board or {}
        shown = {key: board.get(key) for key in ("you", "status", "turn", "version", "rematch")}
        is_there = "connected" if self.is_connected else "not connected"
        return f"{self.match_id} {is_there}, {shown}, pending {self.pending}"

    # --- State ------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        return self.board["version"] if self.board else 0

    @property
    def is_over(self) -> bool:
        return bool(self.board and self.board["outcome"])

    @property
    def may_move(self) -> bool:
        board = self.board
        return bool(
            board
            and not self.pending
            and board["status"] == "live"
            and board["turn"] in board["you"]
        )

    def take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "snapshot":
            self.is_connected = True
            if self.board is None or message["version"] >= self.version:
                self.board = message
                for entry in message["history"]:
                    self._see(entry)
            else:
                # This process has not heard of the last move yet. The ping tells it.
                self._send({"type": "ping", "version": self.version})
        elif kind == "update":
            self._see(message)
            self.updates.add(message["version"])
            if message["id"] in self._own_ids:
                self.acknowledged[message["id"]] = message["version"]
            if self.board and message["version"] == self.version + 1:
                self.board = apply(self.board, message)
            elif message["version"] > self.version:
                self._send({"type": "ping", "version": self.version})
        elif kind == "presence":
            self.presence = message
        elif kind == "rematch" and self.board:
            told = {key: message[key] for key in ("offered_by", "next")}
            self.board = {**self.board, "rematch": told}
        elif kind == "rejected":
            self.refusals.append(message)
            if self.pending and message["id"] == self.pending["id"]:
                self.pending = None
        self._settle()
        if kind == "snapshot" and self.pending:
            self._send(self.pending)
        self.news.set()

    def _see(self, entry: dict[str, Any]) -> None:
        action = entry["seat"], entry["move"], entry["decision"]
        known = self.shown.setdefault(entry["version"], action)
        assert known == action, f"version {entry['version']} was {known} and is {action}"

    def _settle(self) -> None:
        """Clear the pending move once the version has changed: it was played or is outdated."""
        if self.pending and (self.version > self.pending["version"] or self.is_over):
            self.pending = None

    # --- Actions ----------------------------------------------------------------------------

    def choose(self, move: Any) -> str:
        """Play a move, and resend it until the server answers."""
        client_id = self.new_id()
        self.pending = {"type": "move", "move": move, "version": self.version, "id": client_id}
        self._send(self.pending)
        return client_id

    def ask(self, kind: str) -> str:
        """Resign, claim or ask for a rematch; like a button, this sends the message once."""
        client_id = self.new_id()
        self._send({"type": kind, "id": client_id})
        return client_id

    def new_id(self) -> str:
        client_id = next(self._ids)
        self._own_ids.add(client_id)
        return client_id

    async def until(self, holds: Callable[[], Any], seconds: float = 10) -> None:
        async with asyncio.timeout(seconds):
            while not holds():
                self.news.clear()
                await self.news.wait()

    async def played(self, move: Any, seconds: float = 10) -> dict[str, Any] | None:
        """Play a move and wait for the answer; return the refusal, if any."""
        client_id = self.choose(move)
        await self.until(lambda: self.pending is None, seconds)
        return self.refusal_of(client_id)

    async def asked(self, kind: str, seconds: float = 10) -> dict[str, Any] | None:
        """Send a request and wait for the answer; return the refusal, if any."""
        client_id = self.ask(kind)
        await self.until(
            lambda: client_id in self.acknowledged or self.refusal_of(client_id), seconds
        )
        return self.refusal_of(client_id)

    def refusal_of(self, client_id: str) -> dict[str, Any] | None:
        return next((one for one in self.refusals if one["id"] == client_id), None)

    def drop(self) -> None:
        """Break the connection; the client then reconnects automatically."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        ends = await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()
        self._socket, self.is_connected = None, False
        self.news.set()
        for end in ends:
            # For example, the same version was shown with two different actions.
            if isinstance(end, Exception):
                raise end

    # --- Connection -------------------------------------------------------------------------

    async def _stay_connected(self) -> None:
        pause = FIRST_PAUSE
        while not FINAL.intersection(self.closings):
            self._heard = time.monotonic()
            try:
                async with asyncio.timeout(SILENT_AFTER):
                    self._socket = await self._connect()
                async for text in self._socket:
                    self._heard = time.monotonic()
                    message = msgspec.json.decode(text)
                    # If the server accepts a socket only to send an error, keep backing off.
                    if message["type"] != "error":
                        pause = FIRST_PAUSE
                    self.take(message)
            except TimeoutError:
                self._abandoned = True
            except (OSError, WebSocketException):
                pass
            if self._socket is not None:
                self.closings.append(self._socket.close_code)
            self._socket, self.is_connected = None, False
            self.news.set()
            if self._abandoned:
                self._abandoned = False
                continue
            # Random, so that clients don't all reconnect at once after a restart.
            await asyncio.sleep(pause * (0.5 + random()))
            pause = min(LONGEST_PAUSE, pause * 2)

    async def _connect(self) -> websockets.ClientConnection:
        return await websockets.connect(
            f"{self.address()}/ws/match/{self.match_id}/",
            additional_headers={
                **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
                **({"X-Forwarded-For": self.network} if self.network else {}),
            },
            ping_interval=None,
            compression=None,
            open_timeout=None,
            close_timeout=1,
            max_size=None,
            proxy=None,
        )

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY)
            if self._socket and time.monotonic() - self._heard > SILENT_AFTER:
                # The operating system may take minutes to notice.
                self._abandoned = True
                self.drop()
            elif self.board:
                self._send({"type": "ping", "version": self.version})
                if self.pending:
                    self._send(self.pending)

    def _send(self, message: dict[str, Any]) -> None:
        if self._socket is not None:
            task = asyncio.create_task(self._put(self._socket, message))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _put(self, socket: websockets.ClientConnection, message: dict[str, Any]) -> None:
        with suppress(ConnectionClosed):  # a pending move is resent after reconnecting
            await socket.send(msgspec.json.encode(message).decode())


@asynccontextmanager
async def joined(*players: Player) -> AsyncIterator[tuple[Player, ...]]:
    """Wait until all players are connected; disconnect them at the end."""
    try:
        for player in players:
            await player.until(lambda player=player: player.is_connected, 30)
        yield players
    finally:
        await asyncio.gather(*(player.leave() for player in players))
