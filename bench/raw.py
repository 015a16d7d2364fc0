"""The limit: what daphne relays when nothing is parsed, judged or stored.

Every text from one of a match's sockets is answered with a text of an update's size to both.
"""

from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Send = Callable[[Message], Awaitable[None]]

# As long as the updates of a match of Number Tower Duel are on average.
UPDATE = "x" * 490

sockets: dict[str, list[Send]] = {}


async def application(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Message]], send: Send
) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    match = sockets.setdefault(scope["path"], [])
    match.append(send)
    while (await receive())["type"] == "websocket.receive":
        for each in match:
            await each({"type": "websocket.send", "text": UPDATE})
    match.remove(send)
    if not match:
        del sockets[scope["path"]]
