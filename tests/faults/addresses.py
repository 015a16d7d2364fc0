"""All addresses of the site, what each reads, and a way to send anything there."""

import gzip
import json
import re
import socket
from http.client import HTTPResponse
from urllib.parse import quote

from websockets.sync.client import connect

from tests.live.client import new_guest, new_match, new_pair

# The parameters that each address reads from its query and its body.
LANGUAGE = ("language",)
NEW = ("game", "device", "level", "starts", "listed", "size", "pace")
JOIN = ME = ("name",)
ADDRESSES = {
    "": (),
    "rules/<slug:slug>/": (),
    "rules/<slug:slug>/picture.png": LANGUAGE,
    "watch/": (),
    "new/": NEW,
    "m/<str:match_id>/": (),
    "m/<str:match_id>/<int:version>.png": LANGUAGE,
    "m/<str:match_id>/review/": (),
    "m/<str:match_id>/join/": JOIN,
    "m/<str:match_id>/cancel/": (),
    "picture.png": LANGUAGE,
    "icons/<int:size>-<slug:kind>.png": (),
    "manifest.webmanifest": (),
    "service-worker.js": (),
    "offline/": (),
    "me/": (),
    "me/record/": (),
    "api/me/matches/": ("status", "before"),
    "api/push/": ("old", "endpoint", "keys"),
    "api/me/push/": ("endpoint", "keys"),
    "me/devices/": (),
    "me/arrive/": (),
    "api/me/devices/": (),
    # Without those that would sign the site's own guest out, or delete them.
    "api/me/devices/sign-out/": ("others",),
    "api/me/device-links/": (),
    "api/me/arrive/": ("secret", "merge"),
    "api/me/recovery/": (),
    "api/me/recover/": ("code", "merge"),
    "api/me/data/": (),
    "api/me/forget/": (),
    "api/guests/": (),
    "api/me/": ME,
    "api/matches/": (
        *("game", "starts", "listed", "options", "same_device", "computer", "name", "pace"),
        *("open", "live"),
    ),
    "api/matches/<str:match_id>/": (),
    "api/matches/<str:match_id>/join/": JOIN,
    "api/matches/<str:match_id>/rematch/": ("game", "withdraw"),
    "api/matches/<str:match_id>/cancel/": (),
    "api/matches/<str:match_id>/review/": (),
    "api/matches/<str:match_id>/explore/": ("version", "moves"),
    "api/<nowhere>": (),
    "<nowhere>": (),
}

# Values that the parameters in paths can have.
RIGHT_IN_PATHS = {
    "slug": ["number-tower-duel", "number-collapse"],
    "version": ["0", "1"],
    "size": ["180", "512"],
    "kind": ["any", "maskable"],
    "nowhere": ["nowhere", "matches"],
}
CSRF = "x" * 32
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def quoted(text):
    """Write a text into an address; what is percent-encoded already stays as it is."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="%")


def form(fields):
    return "&".join(f"{quoted(name)}={quoted(str(value))}" for name, value in fields).encode()


def finished_match(server):
    """Return the id of a match that is over."""
    match_id, token, _ = new_pair(server)
    url, headers = f"{server.ws}/ws/match/{match_id}/", {"Authorization": f"Bearer {token}"}
    with connect(url, additional_headers=headers, proxy=None) as opened:
        opened.send('{"type":"resign","id":"r"}')
        while json.loads(opened.recv(timeout=10))["type"] != "update":
            pass
    return match_id


class Site:
    """A server, with valid ids and a token, without which all rubbish would end at the door."""

    def __init__(self, server):
        self.server = server
        self.token = new_guest(server)
        invitation = new_match(server, self.token)
        live, _, _ = new_pair(server)
        finished = finished_match(server)
        self.ids = {"invitation": invitation, "live": live, "finished": finished}

    def path(self, route, **values):
        """Return the path of a route with these values, and with right ones for the others."""
        return PARAMETER.sub(
            lambda name: quoted(values.get(name[1]) or self.right(name[1])[0]), f"/{route}"
        )

    def right(self, parameter):
        """Return values that a parameter in a path can have."""
        return list(self.ids.values()) if parameter == "match_id" else RIGHT_IN_PATHS[parameter]


MOST_HEADERS = 16 * 1024


class Line:
    """A connection that stays open between requests, and sends any bytes."""

    def __init__(self, port):
        self.port, self.socket = port, None

    def ask(self, method, path, query, headers, body):
        """Return the status, headers and content of the answer; None if there were so many headers
        that the server refused them by itself, or hung up."""
        target = path.encode() + (b"?" + query if query else b"")
        sent = {"Host": "127.0.0.1", **headers, "Content-Length": str(len(body))}
        head = b"%s %s HTTP/1.1\r\n" % (method.encode(), target)
        for name, value in sent.items():
            head += name.encode() + b": " + value.encode("utf-8", "surrogatepass") + b"\r\n"
        is_new = self.socket is None
        is_long = len(head) > MOST_HEADERS
        try:
            answer = self._exchange(method, head + b"\r\n" + body)
            assert answer[0] < 500
            return None if is_long else answer
        except OSError:
            self.close()
            if is_long:
                return None
            # The server may have closed the connection since the last request.
            assert not is_new
            return self.ask(method, path, query, headers, body)

    def _exchange(self, method, data):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.sendall(data)
        with HTTPResponse(self.socket, method=method.upper()) as answer:
            answer.begin()
            content = answer.read()
        if answer.will_close:
            self.close()
        if answer.headers["Content-Encoding"] == "gzip" and content:
            content = gzip.decompress(content)
        return answer.status, answer.headers, content

    def close(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
