"""docs/protocol.md describes what the server does."""

import asyncio
import json
import re
from pathlib import Path

import websockets

from games.live import protocol
from tests.live.client import connected, new_guest, new_match, new_pair

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text()
EXAMPLES = [
    json.loads(line)
    for block in re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    for line in block.splitlines()
]


def test_the_document_shows_every_client_message_and_the_server_can_parse_it():
    shown = [
        example
        for example in EXAMPLES
        if example["type"] in ("move", "resign", "claim", "react", "ping")
        or (example["type"] == "rematch" and "id" in example)
        or (example["type"] == "hint" and "move" not in example)
    ]
    parsed = {type(protocol.parse(json.dumps(example))) for example in shown}
    assert parsed == {
        protocol.Move,
        protocol.Resign,
        protocol.Claim,
        protocol.Rematch,
        protocol.Hint,
        protocol.React,
        protocol.Ping,
    }


def keys_of(kind):
    return {frozenset(example) for example in EXAMPLES if example["type"] == kind}


async def test_every_server_message_has_the_fields_that_the_document_shows(server):
    match_id, one, two = new_pair(server, listed=True)
    async with (
        connected(server, match_id, one) as first,
        connected(server, match_id, two) as second,
        websockets.connect(f"{server.ws}/ws/lobby/") as lobby,
        websockets.connect(
            f"{server.ws}/ws/me/", additional_headers={"Authorization": f"Bearer {one}"}
        ) as me,
    ):
        await first.played(6)
        await second.until(1)
        await second.played(6)
        await second.send(type="ping", version=1)
        await second.receive("pong")
        await second.send(type="react", reaction="wow", id="w")
        await second.receive("reaction")
        await second.send(type="resign", id="r")
        await first.until(2)
        await first.send(type="rematch", id="again")
        await first.receive("rematch")
        messages = first.inbox + second.inbox
        messages.append(json.loads(await asyncio.wait_for(lobby.recv(), 10)))
        messages += [json.loads(await asyncio.wait_for(me.recv(), 10)) for _ in range(2)]
    token = new_guest(server)
    async with connected(server, new_match(server, token, same_device=True), token) as table:
        await table.send(type="hint", version=0, id="h")
        messages.append(await table.receive("hint"))
    async with websockets.connect(f"{server.ws}/ws/match/22222222/") as socket:
        messages.append(json.loads(await asyncio.wait_for(socket.recv(), 10)))
    kinds = {message["type"] for message in messages}
    assert kinds == {
        *(
            "snapshot",
            "update",
            "rejected",
            "presence",
            "rematch",
            "hint",
            "pong",
            "error",
            "lobby",
            "me",
            "match",
        ),
        "reaction",
    }
    for message in messages:
        assert frozenset(message) in keys_of(message["type"]), message["type"]


def test_every_code_in_the_source_is_in_the_document():
    source = "\n".join(
        path.read_text() for path in (ROOT / "games").rglob("*.py") if "solver" not in path.parts
    )
    raised = re.findall(r"(?:Refusal|BadMessage|IllegalMove|bad_setting)\(\s*\"([a-z_]+)\"", source)
    assert len(set(raised)) > 30
    missing = [code for code in set(raised) if f"`{code}`" not in DOCUMENT]
    assert missing == []
