"""Where a server's time goes: py-spy's samples, summed by function and by part of the program."""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench.generator import Generator
from bench.servers import Server

SAMPLES_A_SECOND = 500
# A profiler needs a moment to find its way into the process; the load is there before.
ATTACHING = 1.0
MATCHES = 900
LINES = 30
# py-spy takes threads that wait for work for busy ones.
WAITING = ("_worker concurrent/futures/thread.py", "wait threading.py")

# What a server does, by the innermost of these functions that a sample is in.
DUTIES = {
    "commit games/live/writer.py": "commit, in the writer's thread",
    "Writer._judge games/live/writer.py": "judging moves by the rules",
    "update games/live/protocol.py": "making and encoding updates",
    "HeldMatch.extend games/live/held.py": "taking committed moves in",
    "Writer._run games/live/writer.py": "the writer's batches",
    "parse games/live/protocol.py": "parsing messages",
    "MatchConsumer.serve games/live/consumers.py": "the consumer",
    "Hub._show_presence games/live/hub.py": "presence, once a second",
    "Hub._reconcile games/live/hub.py": "comparing with the database",
    "application bench/raw.py": "the raw relay",
    "Server.handle_reply daphne/server.py": "sending: daphne, autobahn",
    "Socket._run games/live/socket.py": "the sockets' queues",
    "Connection.doRead twisted/internet/tcp.py": "receiving: twisted, autobahn, daphne",
    "FileDescriptor.doWrite twisted/internet/abstract.py": "writing to the network: twisted",
    "Server.application_checker daphne/server.py": "daphne's look at its connections",
    "Server.timeout_checker daphne/server.py": "daphne's look at its connections",
    "AsyncioSelectorReactor._readOrWrite twisted/internet/asyncioreactor.py": "twisted's reactor",
    "BaseEventLoop._run_once asyncio/base_events.py": "the event loop",
}


def profile(generator: Generator, server: Server, at_once: int, seconds: float) -> None:
    install()
    stacks: Counter[tuple[str, ...]] = Counter()
    for _ in range(round(seconds)):
        generator.prepare(server, MATCHES)
        stacks += sample_while_playing(generator, server, at_once)
        generator.close()
    show(stacks)


def install() -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "py-spy"]
    if not py_spy().exists():
        subprocess.run(command, check=True, timeout=300)


def py_spy() -> Path:
    return Path(sys.executable).parent / "py-spy"


def sample_while_playing(
    generator: Generator, server: Server, at_once: int
) -> Counter[tuple[str, ...]]:
    """A second of samples, each the functions from the outermost to the one that was at work."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "stacks"
        command = [str(py_spy()), "record", "--pid", str(server.pid), "--duration", "1"]
        command += ["--rate", str(SAMPLES_A_SECOND), "--format", "raw", "--output", str(output)]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as recorder:
            generator.play(server, at_once, 0.0, ATTACHING + 1)
            recorder.wait(timeout=30)
        stacks: Counter[tuple[str, ...]] = Counter()
        for line in output.read_text().splitlines():
            frames, _, count = line.rpartition(" ")
            stack = tuple(without_line(frame) for frame in frames.split(";"))
            if not stack[-1].endswith(WAITING):
                stacks[stack] += int(count)
        return stacks


def without_line(frame: str) -> str:
    """`function (path/file.py:12)` as `function path/file.py`."""
    function, _, place = frame.rpartition(" (")
    return f"{function} {place.rpartition(':')[0]}"


def duty(stack: tuple[str, ...]) -> str:
    return next((DUTIES[frame] for frame in reversed(stack) if frame in DUTIES), "other")


def part(frame: str) -> str:
    """The package or folder a function belongs to."""
    path = frame.rpartition(" ")[2]
    return path.rpartition("/")[0] or path


def show(stacks: Counter[tuple[str, ...]]) -> None:
    total = stacks.total()
    own: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    duties: Counter[str] = Counter()
    with_callees: Counter[str] = Counter()
    for stack, count in stacks.items():
        own[stack[-1]] += count
        parts[part(stack[-1])] += count
        duties[duty(stack)] += count
        for frame in set(stack):
            with_callees[frame] += count
    for title, counts in (
        ("Time by duty", duties),
        ("Own time by part", parts),
        ("Own time by function", own),
        ("Time with everything a function calls", with_callees),
    ):
        print(f"\n{title} ({total} samples)")
        for what, count in counts.most_common(LINES):
            print(f"{100 * count / total:6.1f} %  {what}")
