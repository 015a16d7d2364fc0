"""File descriptors: how many this process may open, and how many of them clients may use."""

import resource

# More clients than this don't fit into one process anyway.
MOST = 65_536
# What the site itself opens: the database, the solver's pipes, logs, Redis.
OWN = 64


def raise_limit() -> None:
    """Raise the soft limit to the hard one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (hard, 10_240):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        except (OSError, ValueError):
            # macOS has no hard limit, but doesn't allow more than this.
            continue
        return


def limit() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(soft, MOST)


def backlog() -> int:
    """Return how many connections the kernel may hold until we accept them.

    A server accepts all of them before it can count them, so there must be descriptors for them.
    """
    return min(1024, limit() // 8)


def highest_for_clients() -> int:
    """Return the highest descriptor a client may get. The kernel gives the lowest free one."""
    return limit() - backlog() - OWN


def for_clients() -> int:
    """Return how many connections of clients fit."""
    return max(16, highest_for_clients() - OWN)
