"""A real push service on this machine, and a browser's keys with which it decrypts messages."""

import base64
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

AUTH = b"sixteen  letters"


def base64url(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def new_keys():
    """Return a browser's keys as it sends them, and its private key."""
    private = ec.generate_private_key(ec.SECP256R1())
    point = private.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return {"p256dh": base64url(point), "auth": base64url(AUTH)}, private


class Received(NamedTuple):
    """One message as the browser would get it, with the headers for the push service."""

    path: str
    headers: dict
    message: dict


class PushService:
    def __init__(self):
        self.keys, self._private = new_keys()
        self.received = []
        # What it answers, by path. Default is 201.
        self.statuses = {}
        self.delay = 0.0
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                service.take(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def subscription(self, name="1"):
        return {"endpoint": f"{self.origin}/push/{name}", "keys": self.keys}

    def take(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(self.delay)
        assert handler.headers["Content-Encoding"] == "aes128gcm"
        assert Vapid02.verify(handler.headers["Authorization"])
        clear = http_ece.decrypt(body, private_key=self._private, auth_secret=AUTH)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._lock:
            self.at_once -= 1
            self.received.append(Received(handler.path, headers, json.loads(clear)))
        status = self.statuses.get(handler.path, 201)
        handler.send_response(status)
        if status in (301, 307):
            handler.send_header("Location", f"{self.origin}/elsewhere")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def wait(self, count, seconds=15):
        """Wait until this many messages have arrived, and return all."""
        until = time.monotonic() + seconds
        while len(self.received) < count:
            assert time.monotonic() < until, f"only {len(self.received)} of {count} messages"
            time.sleep(0.02)
        return self.received

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def push_service():
    service = PushService()
    try:
        yield service
    finally:
        service.close()
