"""The websocket consumers: accept connections, read messages, and answer bad input."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from channels.consumer import AsyncConsumer
from django.http import parse_cookie

from games.live import protocol
from games.live.frames import EXTENSION, METER
from games.live.live_match import LiveMatch
from games.live.meter import TOO_MANY
from games.live.metrics import REJECTED, RESYNCS
from games.live.origins import is_own_origin
from games.live.process import Process
from games.live.socket import Send, Socket
from games.matches import database, identity, limits, lookups, selectors
from games.refusals import Refusal
from games.sentences import PLAIN, Template
from games.sentences import gettext_noop as _

logger = logging.getLogger(__name__)

SUBPROTOCOL = "numgames"
LONGEST_MESSAGE = 4096

# Close codes: 4000 and the status of the refusal, which is sent before closing, as an `error`.
FOREIGN_ORIGIN = 4403

DATABASE_AWAY = Template(_("The site can't reach its database right now. Wait a moment."))
BAD_SESSION = Template(_("Your session has expired or isn't valid. Reload the page to continue."))
NO_GUEST = Template(_("You haven't played here yet. Start a match first."))
FLOODED = Template(_("Too many messages at once. Reload the page to continue."))
TOO_FAST = Template(_("That was a lot at once. Wait a few seconds."))
SERVER_ERROR = Template(_("Something went wrong on our side, and nothing changed. Try again."))
NO_BINARY = PLAIN(text="Messages are texts, not binary data.")
LONG_MESSAGE = PLAIN(text=f"A message has at most {LONGEST_MESSAGE} characters.")
NO_ADDRESS = PLAIN(text="There is no websocket at this address.")

Receive = Callable[[], Awaitable[dict[str, Any]]]


class SocketConsumer(AsyncConsumer):
    """What all our websockets have in common.

    `__call__` replaces Channels' dispatch, which hops to a thread for every message.
    """

    def __init__(self, process: Process) -> None:
        self.process = process

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.process.start()
        await receive()
        socket = await self.accept(scope, send)
        if socket is None:
            return
        is_held = False
        try:
            self.process.door.enter(socket)
            if METER not in scope.get("extensions", {}):
                receive = counted(socket, receive)
            is_held = await self.serve(scope, socket, receive)
        except Refusal as refusal:
            await close(socket, refusal)
        except database.AWAY as error:
            logger.warning("The database is away: %s", database.first_line(error))
            await close(socket, Refusal("unavailable", DATABASE_AWAY(), 503))
        finally:
            if not is_held:
                self.process.door.leave(socket)
                # It refers to the socket, which would wait for the collector.
                socket.meter.refuse = None

    async def accept(self, scope: dict[str, Any], send: Send) -> Socket | None:
        """Accept a connection and return its socket, or refuse it and return None.

        This is a separate function so that its variables don't live as long as the socket.
        """
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        if not is_own_origin(headers):
            await send({"type": "websocket.close", "code": FOREIGN_ORIGIN})
            return None
        subprotocol = SUBPROTOCOL if SUBPROTOCOL in scope.get("subprotocols", ()) else None
        await send({"type": "websocket.accept", "subprotocol": subprotocol})
        token = token_from(headers, scope.get("subprotocols", ()))
        who = identity.who_from(token) if token else None
        offered = scope.get("extensions", {})
        socket = Socket(
            send,
            who.guest_id if who else None,
            offered.get(EXTENSION),
            address_of(scope),
            offered.get(METER),
            who.device if who else 0,
        )
        socket.meter.refuse = partial(shut, socket)
        if token and who is None:
            await close(socket, Refusal("bad_token", BAD_SESSION(), 401))
            return None
        return socket

    async def serve(self, scope: dict[str, Any], socket: Socket, receive: Receive) -> bool:
        """Serve a socket until it closes; return True if the server holds it from now on."""
        raise NotImplementedError


class MatchConsumer(SocketConsumer):
    async def serve(self, scope: dict[str, Any], socket: Socket, receive: Receive) -> bool:
        socket.keep_texts()
        live = await self.enter(scope["url_route"]["kwargs"]["match_id"], socket)
        is_held = False
        try:
            self.process.door.require_place(socket)
            if socket.guest_id is not None:
                self.process.agenda.attend(socket, live.id)
            socket.hand_texts_to(partial(self.hear, live, socket))
            is_held = socket.hold(partial(self.leave, live, socket))
            while not is_held and is_open(message := await receive(), socket):
                self.hear(live, socket, message.get("text"))
        finally:
            if not is_held:
                self.leave_match(live, socket)
        return is_held

    def leave(self, live: LiveMatch, socket: Socket) -> None:
        """A socket that the server held has closed."""
        self.process.door.leave(socket)
        self.leave_match(live, socket)

    def leave_match(self, live: LiveMatch, socket: Socket) -> None:
        self.process.agenda.leave(socket)
        self.process.hints.leave(socket)
        self.process.hub.leave(live, socket)

    async def enter(self, link: str, socket: Socket) -> LiveMatch:
        """Let a socket into the match that its link leads to; raise a `Refusal` if it may not."""
        hub, network = self.process.hub, socket.address
        match_id = selectors.clean_match_id(link) or ""
        # A match that is loaded needs no look-up, so players can reconnect without the database.
        if not hub.has_loaded(match_id) or lookups.is_limited(network):
            row = await database.read(lookups.find, link, network, socket.who)
            match_id = row.pk
        live = await hub.enter(match_id, socket)
        if live is None:
            raise lookups.NoSuchMatch
        return live

    def hear(self, live: LiveMatch, socket: Socket, text: str | None) -> None:
        """Handle a message; None stands for binary data."""
        process = self.process
        process.hub.hear(live, socket)
        client_id = None
        try:
            if text is None:
                raise Refusal("binary", NO_BINARY)
            if len(text) > LONGEST_MESSAGE:
                raise Refusal("too_long", LONG_MESSAGE)
            request = protocol.parse(text)
            if isinstance(request, protocol.Ping):
                self.answer_ping(live, socket, request)
                return
            client_id = request.id
            if isinstance(request, protocol.Hint):
                process.hints.ask(live, socket, request)
                return
            if isinstance(request, protocol.React):
                self.react(live, socket, request)
                return
            process.writer.submit(live, socket, request)
        except Refusal as refusal:
            if isinstance(refusal, protocol.BadMessage):
                client_id = refusal.id
            self.reject(live, socket, refusal, client_id)
        except Exception:
            # A bug on our side must not disconnect the player.
            logger.exception("A message could not be handled")
            self.reject(live, socket, Refusal("server_error", SERVER_ERROR(), 500), client_id)

    def react(self, live: LiveMatch, socket: Socket, request: protocol.React) -> None:
        if not socket.may_react():
            raise Refusal("too_fast", TOO_FAST(), 429)
        by = None
        if socket.you:
            # On one device it counts for the player whose turn it is.
            turn = live.loaded.state.turn if live.loaded else 0
            by = turn if turn in socket.you else socket.you[0]
        self.process.hub.react(live.id, by, request.reaction)

    def reject(
        self, live: LiveMatch, socket: Socket, refusal: Refusal, client_id: str | None
    ) -> None:
        REJECTED.labels(refusal.code).inc()
        version = live.loaded.version if live.loaded else 0
        socket.push(protocol.rejected(refusal, client_id, version))

    def answer_ping(self, live: LiveMatch, socket: Socket, ping: protocol.Ping) -> None:
        assert live.loaded is not None
        # A spectator in a crowd may ask just before the update arrives.
        is_on_its_way = live.is_telling and not socket.you
        if ping.version != live.loaded.version and not is_on_its_way and socket.may_catch_up():
            if ping.version < live.loaded.version:
                RESYNCS.inc()
                self.process.hub.send_snapshot(live, socket)
            else:
                # The client has a newer version than this process: another process has made a move.
                self.process.tasks.spawn(self.process.convergence.compare([live]))
        socket.push(protocol.pong(live.loaded.version))


class ListeningConsumer(SocketConsumer):
    """A websocket on which only the server speaks."""

    async def serve(self, scope: dict[str, Any], socket: Socket, receive: Receive) -> bool:
        self.process.door.require_place(socket)
        await self.subscribe(socket)
        is_held = False
        try:
            # Whatever it sends is counted, and ignored.
            socket.hand_texts_to(ignore)
            is_held = socket.hold(partial(self.leave, socket))
            while not is_held and is_open(await receive(), socket):
                pass
        finally:
            if not is_held:
                self.unsubscribe(socket)
        return is_held

    def leave(self, socket: Socket) -> None:
        """A socket that the server held has closed."""
        self.process.door.leave(socket)
        self.unsubscribe(socket)

    async def subscribe(self, socket: Socket) -> None:
        """Let a socket in and send it its first message."""
        raise NotImplementedError

    def unsubscribe(self, socket: Socket) -> None:
        raise NotImplementedError


class LobbyConsumer(ListeningConsumer):
    async def subscribe(self, socket: Socket) -> None:
        await self.process.lobby.feed.enter(socket)

    def unsubscribe(self, socket: Socket) -> None:
        self.process.lobby.feed.leave(socket)


class MeConsumer(ListeningConsumer):
    """Tells a guest about all their matches."""

    async def subscribe(self, socket: Socket) -> None:
        if socket.guest_id is None:
            raise Refusal("no_identity", NO_GUEST(), 401)
        await self.process.agenda.enter(socket)

    def unsubscribe(self, socket: Socket) -> None:
        self.process.agenda.leave(socket)


def ignore(text: str | None) -> None:
    pass


def counted(socket: Socket, receive: Receive) -> Receive:
    """Count the messages of a socket on a server that doesn't count them itself."""

    async def receive_and_count() -> dict[str, Any]:
        message = await receive()
        if message["type"] == "websocket.receive":
            content = message.get("text") or message.get("bytes") or ""
            socket.meter.admits_frames(1, len(content))
        return message

    return receive_and_count


def is_open(message: dict[str, Any], socket: Socket) -> bool:
    return message["type"] == "websocket.receive" and not socket.meter.is_over


def shut(socket: Socket, close_code: int) -> None:
    """Close the socket of a client that sent too much."""
    if close_code == TOO_MANY:
        socket.push(protocol.error(Refusal("too_many", FLOODED(), 429)))
    socket.close(close_code)


async def close(socket: Socket, refusal: Refusal) -> None:
    """Close a socket after telling the client why."""
    socket.push(protocol.error(refusal))
    socket.close(4000 + refusal.status)
    await socket.sent()


def token_from(headers: dict[bytes, str], subprotocols: Any) -> str | None:
    """Return the guest's token from the header, a subprotocol or the cookie."""
    if token := identity.bearer_token(headers.get(b"authorization", "")):
        return token
    for offered in subprotocols:
        if offered.startswith("bearer."):
            return str(offered.removeprefix("bearer."))
    return parse_cookie(identity.short_cookies(headers.get(b"cookie", ""))).get(identity.COOKIE)


def address_of(scope: dict[str, Any]) -> str:
    """Return the network a socket was opened from, which is what limits count by."""
    return limits.network_of(scope["client"][0] if scope.get("client") else "")


class NowhereConsumer(SocketConsumer):
    """Refuses all other addresses."""

    async def serve(self, scope: dict[str, Any], socket: Socket, receive: Receive) -> bool:
        raise Refusal("no_such_address", NO_ADDRESS, 404)
