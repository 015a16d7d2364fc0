"""Live matches: the wire protocol, this process's sockets, and the writing of moves."""
