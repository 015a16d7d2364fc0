"""A bare relay that shows a server's own limit: it parses, checks and stores nothing.

It answers each message from one of a match's sockets with a text as long as an update, sent to all
of them.
"""

import gc
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]

# The average length of an update in Number Tower Duel.
UPDATE = "x" * 490

# The same settings as the site's, so that only the work differs.
gc.collect()
gc.freeze()
gc.set_threshold(1_000, 20)

sockets: dict[str, list[Send]] = {}


async def application(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Message]], send: Send
) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    match = sockets.setdefault(scope["path"], [])
    match.append(send)
    # Tells the client that it gets every update from now on.
    await send({"type": "websocket.send", "text": "."})
    try:
        while (await receive())["type"] == "websocket.receive":
            for each in match:
                await each({"type": "websocket.send", "text": UPDATE})
    finally:
        match.remove(send)
        if not match:
            del sockets[scope["path"]]
