"""One client's socket: something to push texts to that never makes others wait."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from games.limits import Bucket

logger = logging.getLogger(__name__)

Send = Callable[[dict[str, Any]], Awaitable[None]]

# A client this far behind is dropped; it comes back and gets a snapshot.
LONGEST_QUEUE = 500
# The longest match has a hundred moves, so not even a program at full speed comes near this.
FLOOD_RATE, FLOOD_BURST = 100, 1000


class Socket:
    __slots__ = ("_pump", "_send", "_waiting", "bucket", "guest_id", "you")

    def __init__(self, send: Send, guest_id: int | None) -> None:
        self._send = send
        self._waiting: deque[dict[str, Any]] = deque()
        self._pump: asyncio.Task[None] | None = None
        self.guest_id = guest_id
        # The seats it plays; () for a spectator, None before the first snapshot.
        self.you: tuple[int, ...] | None = None
        self.bucket = Bucket(FLOOD_RATE, FLOOD_BURST)

    def push(self, text: str) -> None:
        """Send a text when its turn comes."""
        if len(self._waiting) >= LONGEST_QUEUE:
            self._waiting.clear()
            self._put({"type": "websocket.close", "code": 4408})
            return
        self._put({"type": "websocket.send", "text": text})

    def close(self, code: int) -> None:
        self._put({"type": "websocket.close", "code": code})

    async def sent(self) -> None:
        """Wait until everything pushed has been handed to the server."""
        if self._pump is not None:
            await self._pump

    def _put(self, message: dict[str, Any]) -> None:
        self._waiting.append(message)
        if self._pump is None:
            self._pump = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                await self._send(self._waiting.popleft())
        except (OSError, RuntimeError):
            # How servers say that the client has gone; the consumer hears of it as a disconnect.
            self._waiting.clear()
        except Exception:
            logger.exception("A message could not be sent")
            self._waiting.clear()
        finally:
            self._pump = None
