"""Measures whether people's moves get slower while the computer is thinking.

    python -m bench.computers [--rounds 6]

Plays 300 matches between people who think for a second, in slices with and without 100 matches
against the computer: all five games on the larger board, at the Perfect level, which solves every
position. The server and its solver processes share one core; the load generator has the other. All
matches exist and their sockets are open before the clock starts.
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
from bench.pinned import LOAD_CORE, running, stay_on, stop_on_sigterm
from bench.systems import SYSTEMS, System
from games.catalogue import KITS
from games.rules import GAMES

PEOPLE, COMPUTERS = 300, 100
# More matches against the computer, with open sockets, to replace those that end.
NEXT = 250
# Like browsers do.
BEAT_EVERY = 2.5
SECONDS, PREPARED = 10.0, 900


def post(address: str, data: dict[str, Any], token: str = "") -> Any:
    request = urllib.request.Request(
        address,
        json.dumps(data).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def new_match(base: str, game: str, token: str) -> str:
    options = dict(KITS[game].options_of("larger"))
    match = {"game": game, "options": options, "starts": "me", "computer": "perfect"}
    return str(post(f"{base}/api/matches/", match, token)["id"])


class Person:
    """A player in one match against the computer, who takes about a second for a move."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket, self.version = socket, 0

    async def play(self) -> None:
        async for text in self.socket:
            message = json.loads(text)
            if message["type"] not in ("snapshot", "update"):
                continue
            self.version = message["version"]
            if message["outcome"]:
                return
            if message["turn"] == 1:
                await asyncio.sleep(random.uniform(0.5, 1.5))
                move = {"move": random.choice(message["legal"]), "version": self.version}
                await self.say({"type": "move", **move, "id": f"v{self.version}"})

    async def say(self, message: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(message))


async def face_computers(base: str) -> None:
    """Play against the computer in many matches at once; print "ready" when all have begun.

    When a match ends, the next one begins.
    """
    token = post(f"{base}/api/guests/", {})["token"]
    headers = {"Authorization": f"Bearer {token}"}
    people = []
    for game in islice(cycle(GAMES), COMPUTERS + NEXT):
        address = f"{base.replace('http', 'ws')}/ws/match/{new_match(base, game, token)}/"
        # Matches that have not begun read nothing yet, so their queues need no limit.
        connecting = websockets.connect(
            address, additional_headers=headers, proxy=None, max_queue=None
        )
        people.append(Person(await connecting))

    async def one_after_the_other() -> None:
        while True:
            await waiting.pop().play()

    async def beat() -> None:
        while True:
            for person in people:
                await person.say({"type": "ping", "version": person.version})
                await asyncio.sleep(BEAT_EVERY / len(people))

    waiting = list(people)
    async with asyncio.TaskGroup() as group:
        group.create_task(beat())
        for _ in range(COMPUTERS):
            group.create_task(one_after_the_other())
        print("ready", flush=True)


@contextlib.contextmanager
def facing_computers(system: System) -> Iterator[None]:
    command = [sys.executable, "-m", "bench.computers", "--face", system.bases[0]]
    with running(command, LOAD_CORE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit("The matches against the computer didn't start.")
        yield
        if process.poll() is not None:
            raise SystemExit("Not enough matches against the computer were prepared.")


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
        # Lowest priority: the load generator, which measures, must not wait for these players.
        os.nice(19)
        asyncio.run(face_computers(chosen.face))
        return
    stay_on(LOAD_CORE)
    stop_on_sigterm()
    alone, beside = Moves(), Moves()
    with generating() as generator, SYSTEMS["daphne-sqlite"].start() as system:
        for _ in range(chosen.rounds):
            measure(generator, system, alone)
            with facing_computers(system):
                measure(generator, system, beside)
    for name, moves in (("without computers", alone), ("with 100 computers", beside)):
        print(f"{name}: p50 {moves.latency(50):.2f} ms, p99 {moves.latency(99):.2f} ms")
    print(f"ratio of p99, with to without: {beside.latency_times(alone, 99):.2f}")


if __name__ == "__main__":
    main()
