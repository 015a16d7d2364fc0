"""Live matches: the wire protocol, this process's sockets, and the one way a move is made."""
