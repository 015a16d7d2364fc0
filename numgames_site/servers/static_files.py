"""Serves the collected static files from memory.

Their names change with their content, so each is read once. A page needs two dozen of them, and a
class opens thirty pages at once: through Django, each file would cost as much as a page.
"""

import json
import mimetypes
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


class StaticFile(NamedTuple):
    """A file's headers and body, plain and compressed."""

    plain: tuple[Headers, bytes]
    gzipped: tuple[Headers, bytes] | None

    @classmethod
    def read(cls, path: Path) -> "StaticFile":
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        shared = [
            (b"content-type", kind.encode()),
            (b"cache-control", b"public, max-age=31536000, immutable"),
            (b"vary", b"accept-encoding"),
            (b"x-content-type-options", b"nosniff"),
        ]
        compressed = path.with_name(path.name + ".gz")
        if not compressed.exists():
            return cls(with_length(shared, path.read_bytes()), None)
        gzip = [*shared, (b"content-encoding", b"gzip")]
        return cls(
            with_length(shared, path.read_bytes()), with_length(gzip, compressed.read_bytes())
        )

    async def answer(self, scope: dict[str, Any], send: Send) -> None:
        accepts = dict(scope["headers"]).get(b"accept-encoding", b"")
        headers, body = (b"gzip" in accepts and self.gzipped) or self.plain
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        body = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": body})


def with_length(headers: Headers, body: bytes) -> tuple[Headers, bytes]:
    return [*headers, (b"content-length", str(len(body)).encode())], body


def read_collected(root: Path, url: str) -> Mapping[str, StaticFile]:
    """Read the collected files, by URL path. Empty if nothing has been collected yet."""
    manifest = root / "staticfiles.json"
    if not manifest.exists():
        return {}
    names = json.loads(manifest.read_text())["paths"].values()
    return {url + name: StaticFile.read(root / name) for name in names}
