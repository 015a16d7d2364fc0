"""Shows where a server spends its time: per thread from the kernel, in the event loop from py-spy.

py-spy counts a thread that is in a system call as idle. So it only supplies shares, and only for
the event loop's thread.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench.generator import Generator
from bench.systems import System

SAMPLES_A_SECOND = 500
# The profiler takes this long to attach. The load is already running by then.
ATTACHING = 1.0
MATCHES = 1200
LINES = 30
TICKS = 100

UVICORN = "uvicorn/protocols/websockets/websockets_sansio_impl.py"
# What a server is doing, by the innermost of these functions in a sample.
DUTIES = {
    "Writer._judge games/live/writer.py": "checking moves against the rules",
    "update games/live/protocol.py": "building and encoding updates",
    "LoadedMatch.extend games/matches/loaded_match.py": "adding committed moves",
    "QuickCommits.save games/matches/commits.py": "committing in the loop",
    "Writer._start_batch games/live/writer.py": "the writer's batches",
    "Writer._save_later games/live/writer.py": "the writer's batches",
    "Writer.submit games/live/writer.py": "the writer's queue",
    "parse games/live/protocol.py": "parsing messages",
    "MatchConsumer.hear games/live/consumers.py": "the consumer",
    "Housekeeping.show_presence games/live/housekeeping.py": "presence, once a second",
    "Convergence.compare_all games/live/convergence.py": "comparing with the database",
    "RedisChannel.data_received games/live/redis_channel.py": "Redis",
    "Relay._send games/live/relay.py": "Redis",
    "application bench/raw.py": "the raw relay",
    "Server.handle_reply daphne/server.py": "sending",
    f"WebSocketsSansIOProtocol.send {UVICORN}": "sending",
    "FramesProtocol.write_frame games/live/frames/daphne.py": "writing to the network",
    "FramesProtocol.write_frame games/live/frames/uvicorn.py": "writing to the network",
    "HeldSocket.write games/live/frames/held.py": "writing to the network",
    "HeldSocket.data_received games/live/frames/held.py": "receiving",
    "Socket.push games/live/socket.py": "the sockets' queues",
    "Connection.doRead twisted/internet/tcp.py": "receiving",
    f"WebSocketsSansIOProtocol.data_received {UVICORN}": "receiving",
    f"WebSocketsSansIOProtocol.receive {UVICORN}": "receiving",
    "FileDescriptor.doWrite twisted/internet/abstract.py": "writing to the network",
    "Server.application_checker daphne/server.py": "daphne's connection checks",
    "Server.timeout_checker daphne/server.py": "daphne's connection checks",
    "AsyncioSelectorReactor._readOrWrite twisted/internet/asyncioreactor.py": "the event loop",
    "BaseEventLoop._run_once asyncio/base_events.py": "the event loop",
    "Runner.run asyncio/runners.py": "the event loop, and writing to the network",
}


def profile(generator: Generator, system: System, at_once: int, rounds: int) -> None:
    (pid,) = system.pids
    stacks: Counter[tuple[str, ...]] = Counter()
    worked: Counter[str] = Counter()
    moves = 0
    for _ in range(rounds):
        with generator.matches(system, MATCHES), tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "stacks"
            command = [str(py_spy()), "record", "--nonblocking", "--pid", str(pid)]
            command += ["--duration", "1", "--rate", str(SAMPLES_A_SECOND)]
            command += ["--format", "raw", "--output", str(output)]
            with subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as recorder:
                before = threads(pid)
                played = generator.play(at_once, warmUp=0, seconds=ATTACHING + 1)
                worked += threads(pid)
                worked.subtract(before)
                recorder.wait(timeout=30)
            moves += played["moves"]
            stacks += samples(output.read_text())
    show(stacks, worked, moves)


def py_spy() -> Path:
    return Path(sys.executable).parent / "py-spy"


def threads(pid: int) -> Counter[str]:
    """Return the CPU time of the event loop's thread and of all others, in 1/100 s."""
    worked: Counter[str] = Counter()
    for task in Path(f"/proc/{pid}/task").iterdir():
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        whose = "the event loop" if task.name == str(pid) else "the database threads"
        worked[whose] += int(fields[11]) + int(fields[12])
    return worked


def samples(recorded: str) -> Counter[tuple[str, ...]]:
    """Return the event loop's samples: each a stack of functions, outermost first."""
    stacks: Counter[tuple[str, ...]] = Counter()
    for line in recorded.splitlines():
        frames, _, count = line.rpartition(" ")
        stack = tuple(without_line(frame) for frame in frames.split(";"))
        if not stack[0].endswith("threading.py"):
            stacks[stack] += int(count)
    return stacks


def without_line(frame: str) -> str:
    """Turn `function (path/file.py:12)` into `function path/file.py`."""
    function, _, place = frame.rpartition(" (")
    return f"{function} {place.rpartition(':')[0]}"


def duty(stack: tuple[str, ...]) -> str:
    return next((DUTIES[frame] for frame in reversed(stack) if frame in DUTIES), "other")


def show(stacks: Counter[tuple[str, ...]], worked: Counter[str], moves: int) -> None:
    total = stacks.total()
    loop = 1e6 / TICKS * worked["the event loop"] / moves
    own: Counter[str] = Counter()
    duties: Counter[str] = Counter()
    with_callees: Counter[str] = Counter()
    for stack, count in stacks.items():
        own[stack[-1]] += count
        duties[duty(stack)] += count
        for frame in set(stack):
            with_callees[frame] += count
    print("\n| what | µs/move |\n|---|---|")
    for whose, ticks in worked.items():
        print(f"| **{whose}** | **{1e6 / TICKS * ticks / moves:.0f}** |")
    for what, count in duties.most_common(LINES):
        print(f"| {what} | {loop * count / total:.1f} |")
    for title, counts in (
        ("Time in the function itself", own),
        ("Time in the function and everything it calls", with_callees),
    ):
        print(f"\n{title}, µs/move of the event loop")
        for what, count in counts.most_common(LINES):
            print(f"{loop * count / total:6.1f}  {what}")
