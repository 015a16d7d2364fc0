"""A client of the API and the sockets, written as other programs would write one."""

import asyncio
import hashlib
import json
import urllib.request
from contextlib import asynccontextmanager
from itertools import count
from urllib.error import HTTPError

import websockets


def call(server, method, path, data=None, token=None, headers=None):
    """Make an API request; return its status and JSON."""
    request = urllib.request.Request(
        server.http + path,
        data=None if data is None else json.dumps(data).encode(),
        headers={
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **(headers or {}),
        },
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def post(server, path, data=None, token=None, **keywords):
    return call(server, "POST", path, data or {}, token, **keywords)


def get(server, path, token=None):
    return call(server, "GET", path, token=token)


def page(server, path):
    """Return the status and text of a page."""
    try:
        with urllib.request.urlopen(server.http + path, timeout=30) as response:
            return response.status, response.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def new_guest(server):
    return post(server, "/api/guests/")[1]["token"]


def proof_for(challenge, bits):
    """Find a proof for a challenge, so that both together hash to enough leading zero bits."""
    return next(
        text
        for text in map(str, count())
        if int.from_bytes(hashlib.sha256((challenge + text).encode()).digest()) < 1 << (256 - bits)
    )


def new_match(server, token, game="number-tower-duel", starts="me", **settings):
    status, made = post(
        server, "/api/matches/", {"game": game, "starts": starts, **settings}, token
    )
    assert status == 201, made
    return made["id"]


def join(server, match_id, token):
    return post(server, f"/api/matches/{match_id}/join/", {}, token)


def new_pair(server, game="number-tower-duel", **settings):
    """Create a match between two new guests; return its id and their tokens, Player 1's first."""
    one, two = new_guest(server), new_guest(server)
    match_id = new_match(server, one, game, **settings)
    assert join(server, match_id, two) == (200, {"seat": 2})
    return match_id, one, two


class Client:
    """One socket and the board it shows: a snapshot with updates applied."""

    def __init__(self, socket):
        self.socket = socket
        self.board = None
        self.inbox = []
        self._ids = (f"c{n}" for n in count(1))

    async def receive(self, *types, seconds=10):
        """Return the next message of one of these types, and apply all messages before it."""
        async with asyncio.timeout(seconds):
            while True:
                message = json.loads(await self.socket.recv())
                self.take(message)
                if message["type"] in types:
                    return message

    def take(self, message):
        self.inbox.append(message)
        if message["type"] == "snapshot":
            self.board = message
        elif message["type"] == "update" and message["version"] == self.version + 1:
            self.board = apply(self.board, message)
        elif message["type"] == "rematch":
            self.board["rematch"] = {key: message[key] for key in ("offered_by", "game", "next")}

    @property
    def version(self):
        return self.board["version"] if self.board else -1

    async def send(self, **message):
        await self.socket.send(json.dumps(message))

    async def move(self, move, version=None, client_id=None):
        client_id = client_id or next(self._ids)
        version = self.version if version is None else version
        await self.send(type="move", move=move, version=version, id=client_id)
        return client_id

    async def played(self, move, **keywords):
        """Play and wait for the answer."""
        client_id = await self.move(move, **keywords)
        while True:
            answer = await self.receive("update", "rejected")
            if answer["id"] == client_id:
                return answer

    async def until(self, version):
        while self.version < version:
            await self.receive("update", "snapshot")


def apply(board, update):
    """Apply an update to a board, as every client does."""
    entry = {key: update[key] for key in ("version", "seat", "move", "decision", "events", "state")}
    kept = ("version", "state", "legal", "why", "reasons", "turn", "outcome")
    return {
        **board,
        **{key: update[key] for key in kept},
        **({"series": update["series"], "status": "finished"} if update["outcome"] else {}),
        "history": [*board["history"], entry],
    }


@asynccontextmanager
async def connected(server, match_id, token=None, **keywords):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with websockets.connect(
        f"{server.ws}/ws/match/{match_id}/", additional_headers=headers, **keywords
    ) as socket:
        client = Client(socket)
        await client.receive("snapshot")
        yield client


def fresh(server, match_id, token=None):
    """Return the snapshot for somebody who opens the match now."""
    status, snapshot = get(server, f"/api/matches/{match_id}/", token)
    assert status == 200
    return snapshot
