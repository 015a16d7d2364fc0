"""What a process holds of the machine, as Linux tells it."""

from pathlib import Path


def memory(pid: int) -> float:
    """Resident memory, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def handles(pid: int) -> int:
    """Open files and sockets."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def waited(pid: int) -> float:
    """Seconds that its main thread could have run and had no processor: others were busy."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
