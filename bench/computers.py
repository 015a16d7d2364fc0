"""Whether people's moves wait for the computer's thoughts.

    python -m bench.computers [--rounds 6]

300 matches between people who think for a second, in slices with and without 100 matches against
the computer at the same time, all five games in their larger size, at the level that thinks about
every move. The server and the processes it thinks in share one core; the people have the other. As
with people, matches are made before the clock starts.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import websockets

from bench.generator import Generator, generating
from bench.measurements import Moves
from bench.pinned import LOAD_CORE, running, stay_on
from bench.systems import SYSTEMS, System
from games.forms import LARGER
from games.rules import GAMES

PEOPLE, COMPUTERS = 300, 100
# Matches against the computer that wait for one to end.
NEXT = 300
SECONDS, PREPARED = 5.0, 750


def post(address: str, data: dict[str, Any], token: str = "") -> Any:
    request = urllib.request.Request(
        address,
        json.dumps(data).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def new_match(base: str, game: str, token: str) -> str:
    match = {"game": game, "options": dict(LARGER[game]), "starts": "me", "computer": "perfect"}
    return str(post(f"{base}/api/matches/", match, token)["id"])


async def face_computer(address: str, token: str, ready: asyncio.Semaphore) -> None:
    """A match from its beginning to its end; a person takes about a second."""
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(address, additional_headers=headers, proxy=None) as socket:
        ready.release()
        async for text in socket:
            message = json.loads(text)
            if message["type"] not in ("snapshot", "update"):
                continue
            if message["outcome"]:
                return
            if message["turn"] == 1:
                await asyncio.sleep(random.uniform(0.5, 1.5))
                version = message["version"]
                move = {"move": random.choice(message["legal"]), "version": version}
                await socket.send(json.dumps({"type": "move", **move, "id": f"v{version}"}))


async def face_computers(base: str) -> None:
    """Says when all of them play; when one match ends, the next one begins."""
    token, ready = post(f"{base}/api/guests/", {})["token"], asyncio.Semaphore(0)
    games = islice(cycle(GAMES), COMPUTERS + NEXT)
    matches = [f"/ws/match/{new_match(base, game, token)}/" for game in games]

    async def one_after_the_other() -> None:
        while True:
            address = base.replace("http", "ws") + matches.pop(0)
            await face_computer(address, token, ready)

    async with asyncio.TaskGroup() as group:
        for _ in range(COMPUTERS):
            group.create_task(one_after_the_other())
        for _ in range(COMPUTERS):
            await ready.acquire()
        print("ready", flush=True)


@contextlib.contextmanager
def facing_computers(system: System) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.computers", "--face", system.bases[0]]
    with running(command, LOAD_CORE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit("The matches against the computer did not begin.")
        yield


def measure(generator: Generator, system: System, moves: Moves) -> None:
    with generator.matches(system, PREPARED):
        moves.add_moves(generator.play(PEOPLE, thinking=1, warmUp=1, seconds=SECONDS))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--face", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.face:
        # What measures must not wait for what merely plays along.
        os.nice(19)
        asyncio.run(face_computers(chosen.face))
        return
    stay_on(LOAD_CORE)
    alone, beside = Moves(), Moves()
    with generating() as generator, SYSTEMS["daphne-sqlite"].start() as system:
        for _ in range(chosen.rounds):
            measure(generator, system, alone)
            with facing_computers(system):
                measure(generator, system, beside)
    for name, moves in (("people alone", alone), ("beside 100 computers", beside)):
        print(f"{name}: p50 {moves.latency(50):.2f} ms, p99 {moves.latency(99):.2f} ms")
    print(f"p99 beside computers: {beside.latency_times(alone, 99):.2f} of that without")


if __name__ == "__main__":
    main()
