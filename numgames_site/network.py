"""Finds this machine's address on the local network."""

import socket


def lan_address() -> str | None:
    """Return this machine's address on its network, or None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: the kernel only picks the address it
            # would send from. 192.0.2.1 is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
