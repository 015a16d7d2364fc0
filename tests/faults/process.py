"""Resource usage of a process, read from /proc on Linux."""

from pathlib import Path


def memory(pid: int) -> float:
    """Return the resident memory in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def handles(pid: int) -> int:
    """Return the number of open files and sockets."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def waited(pid: int) -> float:
    """Return the seconds its main thread was ready to run but waited for a CPU."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
