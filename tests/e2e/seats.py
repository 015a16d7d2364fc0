"""Players without a browser, who keep listed matches open so that the lobby shows them."""

from contextlib import ExitStack
from threading import Event, Thread

from websockets.sync.client import connect

from tests.live.client import new_guest, new_match, new_pair

BEAT_EVERY = 2.5
PING = '{"type": "ping", "version": 0}'


class Seats:
    """Takes seats in matches and sends heartbeats there until the end of the `with` block."""

    def __init__(self):
        self._sockets, self._over = [], Event()
        self._stack = ExitStack()
        self._beating = Thread(target=self._beat)

    def __enter__(self):
        self._beating.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._beating.join()
        self._stack.close()

    def take(self, server, match_id, token):
        socket = connect(
            f"{server.ws}/ws/match/{match_id}/",
            additional_headers={"Authorization": f"Bearer {token}"},
            proxy=None,
        )
        self._sockets.append(self._stack.enter_context(socket))

    def pair(self, server, slug="number-tower-duel"):
        """Start a listed match and return its id."""
        match_id, one, _two = new_pair(server, slug, listed=True)
        self.take(server, match_id, one)
        return match_id

    def invitation(self, server, slug):
        token = new_guest(server)
        self.take(server, new_match(server, token, slug, listed=True), token)

    def _beat(self):
        while not self._over.wait(BEAT_EVERY):
            for socket in tuple(self._sockets):
                socket.send(PING)
                self._drain(socket)

    def _drain(self, socket):
        try:
            while True:
                socket.recv(timeout=0)
        except TimeoutError:
            pass
