"""Raw connections to a server, for clients that don't behave."""

import socket

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

# An address of this machine that no player uses.
ELSEWHERE = "127.0.0.2"


def raw(server, address="127.0.0.1", timeout=10.0):
    return socket.create_connection(
        ("127.0.0.1", server.port), timeout=timeout, source_address=(address, 0)
    )


def read_to_the_end(connection):
    """Return everything the server still sends, until it closes the connection."""
    heard = b""
    try:
        while received := connection.recv(65536):
            heard += received
    except ConnectionResetError:
        pass
    return heard


class RawSocket:
    """A websocket that sends any bytes."""

    def __init__(self, server, path, address="127.0.0.1", token=None):
        self.connection = raw(server, address)
        self.protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{server.port}{path}"))
        request = self.protocol.connect()
        if token:
            request.headers["Authorization"] = f"Bearer {token}"
        self.protocol.send_request(request)
        self.connection.sendall(b"".join(self.protocol.data_to_send()))
        self.texts = []
        while self.protocol.state is State.CONNECTING:
            if not self.read():
                self.connection.close()
                raise ConnectionRefusedError

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.connection.close()

    def read(self):
        """Read once; return False at the end."""
        try:
            data = self.connection.recv(65536)
        except ConnectionResetError:
            data = b""
        if data:
            self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self.texts.append(event.data.decode())
        return bool(data)

    def closed_with(self):
        """Read until the server closes the socket; return the close code."""
        while self.protocol.close_rcvd is None and self.read():
            pass
        return self.protocol.close_rcvd and self.protocol.close_rcvd.code
