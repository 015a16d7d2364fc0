"""The limit: what a server relays when nothing is parsed, judged or stored.

Every text from one of a match's sockets is answered with a text of an update's size to all of them.
"""

import gc
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]

# As long as the updates of a match of Number Tower Duel are on average.
UPDATE = "x" * 490

# As the site does it, so that the two differ in their work and not in their settings.
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
    # Whoever hears this is among those who hear everything from now on.
    await send({"type": "websocket.send", "text": "."})
    try:
        while (await receive())["type"] == "websocket.receive":
            for each in match:
                await each({"type": "websocket.send", "text": UPDATE})
    finally:
        match.remove(send)
        if not match:
            del sockets[scope["path"]]
