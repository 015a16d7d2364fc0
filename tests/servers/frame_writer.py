"""An ASGI application that writes to a client that may not be reading, and reports the result.

A client's text names one of the functions below. `GET /` returns the report as JSON.
"""

import asyncio
import json
from itertools import count, islice
from select import POLLHUP, poll

from games.live.frames import EXTENSION, frame_of

# The number of texts written at once, and the number that follow when some have to wait. Together
# they are fewer than uvicorn takes before it makes the application wait for the client.
GROUP, MORE = 10, 40
# If a client hasn't been dropped after this much, it won't be dropped at all.
ENOUGH = 64 << 20

report = {}


async def application(scope, receive, send):
    if scope["type"] == "http":
        body = json.dumps(report).encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})
        return
    report.clear()
    await receive()
    await send({"type": "websocket.accept"})
    frames = scope.get("extensions", {}).get(EXTENSION)
    report["has_frames"] = frames is not None
    message = await receive()
    if message["type"] == "websocket.receive":
        await globals()[message["text"]](frames, receive, send)
        report["is_done"] = True
        while "ended" not in report and message["type"] != "websocket.disconnect":
            message = await receive()


async def fill(frames, receive, send):
    """Write numbered texts until the kernel's buffer is full, then more, as frames and by ASGI."""
    numbers = count()
    texts = (f"{number:0>1000}" for number in numbers)
    while waiting(frames) == 0:
        for text in islice(texts, GROUP):
            assert frames.write(frame_of(text))
        # Let the server write what it can.
        await asyncio.sleep(0.001)
    report["waiting"] = waiting(frames)
    for text in islice(texts, MORE):
        if int(text) % 3 == 0 or not frames.write(frame_of(text)):
            await send({"type": "websocket.send", "text": text})
    report["sent"] = next(numbers)


async def flood(frames, receive, send):
    """Write until the client has been dropped."""
    frame = frame_of("x" * 10_000)
    ended = asyncio.ensure_future(receive())
    written = report["most_waiting"] = 0
    while not ended.done() and written < ENOUGH:
        frames.write(frame)
        written += len(frame)
        report["most_waiting"] = max(report["most_waiting"], waiting(frames))
        await asyncio.sleep(0)
    report["ended"] = (await ended)["type"] if ended.done() else "not at all"


async def write_after_reset(frames, receive, send):
    """Wait until the client has broken the connection, then write before the server notices."""
    connection = poll()
    connection.register(descriptor(frames), POLLHUP)
    # Block the event loop, so that the server can't notice.
    report["is_broken"] = bool(connection.poll(10_000))
    report["was_written"] = [frames.write(frame_of("x")) for _ in range(2)]


async def write_after_close(frames, receive, send):
    await send({"type": "websocket.close", "code": 4000})
    report["was_written"] = frames.write(frame_of("x"))


async def nothing(frames, receive, send):
    """Only report."""


def descriptor(frames):
    transport = frames.write.__self__.transport
    if hasattr(transport, "get_extra_info"):
        return transport.get_extra_info("socket").fileno()
    return transport.fileno()


def waiting(frames):
    """Return how many bytes the server holds for the client."""
    transport = frames.write.__self__.transport
    if hasattr(transport, "get_write_buffer_size"):
        return transport.get_write_buffer_size()
    return len(transport.dataBuffer) - transport.offset + transport._tempDataLen
