"""Measures whether pages, lists, sockets and moves get slower as the database grows.

    python -m bench.growth [--databases sqlite,postgresql] [--matches 400000] [--rounds 40]
                           [--server uvicorn] [--plans]

Runs two sites beside each other, one with 1,000 matches and one with 400,000 (`bench/filling.py`),
and asks them the same in turn. The figures are medians in milliseconds. Both have six listed
invitations and six listed matches open. The servers share one core; this program, PostgreSQL and
Redis use the other. Queries that the server repeats by itself are measured without the server, on
the same database. With --plans, prints the plan of every query on the large database.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from typing import Any

import django
from websockets.sync.client import ClientConnection, connect

from bench.generator import Generator, generating
from bench.measurements import Moves
from bench.pinned import LOAD_CORE, ROOT, SERVER_CORE, running, stay_on, stop_on_sigterm
from bench.report import table
from bench.systems import System, ask, complaints, data_stores, serving, temporary_folder

SMALL = 1000
GOAL = 1.5
LISTED = 6
# Enough for one slice of moves.
AT_ONCE, PREPARED = 100, 2_000

Figures = Iterator[tuple[str, float]]


class Site:
    """A running site with a filled database."""

    def __init__(
        self, system: System, filled: dict[str, Any], query: Callable[[str], float]
    ) -> None:
        self.system, self.filled, self.query = system, filled, query
        (port,) = system.ports
        self.ws = f"ws://127.0.0.1:{port}"
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._ids = {status: cycle(ids) for status, ids in filled["ids"].items()}
        self.token = filled["token"]
        self._listed: list[ClientConnection] = []

    def id_of(self, status: str) -> str:
        """Return the id of a match with this status, each time another one."""
        return str(next(self._ids[status]))

    def ask(
        self, method: str, path: str, data: object = None, token: str = ""
    ) -> tuple[float, bytes]:
        """Make a request; return the milliseconds it took and the answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if data is not None:
            headers["Content-Type"] = "application/json"
        began = time.perf_counter()
        self._http.request(method, path, None if data is None else json.dumps(data), headers)
        answer = self._http.getresponse()
        text = answer.read()
        took = 1000 * (time.perf_counter() - began)
        if answer.status not in (200, 201):
            raise SystemExit(f"{method} {path}: {answer.status} {text[:300]!r}")
        return took, text

    def get(self, path: str, token: str = "") -> float:
        return self.ask("GET", path, token=token)[0]

    def post(self, path: str, data: object, token: str) -> tuple[float, dict[str, Any]]:
        took, text = self.ask("POST", path, data, token)
        return took, json.loads(text)

    def new_guest(self) -> str:
        return str(self.post("/api/guests/", {}, "")[1]["token"])

    def new_match(self, token: str, **settings: Any) -> str:
        settings = {"game": "number-tower-duel", "starts": "me", **settings}
        return str(self.post("/api/matches/", settings, token)[1]["id"])

    def connect(self, path: str, token: str = "") -> ClientConnection:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # Nobody reads from the sockets that only stay open, so their queues need no limit.
        return connect(
            f"{self.ws}/ws/{path}/",
            additional_headers=headers,
            proxy=None,
            max_queue=None,
            ping_interval=None,
        )

    @contextlib.contextmanager
    def listed_open(self) -> Iterator[None]:
        """Keep listed invitations and matches open, so that the lobby has something to show."""
        with contextlib.ExitStack() as stack:
            for number in range(2 * LISTED):
                guests = [self.new_guest() for _ in range(1 + number % 2)]
                path = f"match/{self.new_match(guests[0], listed=True)}"
                if number % 2:
                    self.post(f"/api/{path.replace('match', 'matches')}/join/", {}, guests[1])
                for guest in guests:
                    self._listed.append(stack.enter_context(self.connect(path, guest)))
            yield

    def stay(self) -> None:
        """Let the server know that these players are still there."""
        for socket in self._listed:
            socket.send('{"type": "ping", "version": 0}')


# --- What is measured ------------------------------------------------------------------------


def pages(site: Site) -> Figures:
    yield "page: lobby", site.get("/")
    yield "page: watch", site.get("/watch/")
    yield "page: rules", site.get("/rules/number-tower-duel/")
    for status in ("open", "live", "finished"):
        yield f"page: a match, {status}", site.get(f"/m/{site.id_of(status)}/")
    yield "page: review", site.get(f"/m/{site.id_of('finished')}/review/")
    yield "picture of a match", site.get(f"/m/{site.id_of('finished')}/1.png")
    yield "page: the busiest guest's matches", site.get("/me/", site.token)


def api(site: Site) -> Figures:
    yield "API: open", site.get("/api/matches/?open=1")
    yield "API: live", site.get("/api/matches/?live=1")
    yield "API: open and live", site.get("/api/matches/?open=1&live=1")
    for status in ("open", "live", "finished"):
        yield f"API: a match, {status}", site.get(f"/api/matches/{site.id_of(status)}/")
    finished = site.id_of("finished")
    yield "API: review", site.get(f"/api/matches/{finished}/review/")
    yield "API: explore", site.get(f"/api/matches/{finished}/explore/?version=1")
    yield "API: new guest", site.post("/api/guests/", {}, "")[0]
    match = {"game": "number-tower-duel", "starts": "me"}
    took, made = site.post("/api/matches/", match, site.new_guest())
    yield "API: new match by a new guest", took
    took, _ = site.post(f"/api/matches/{made['id']}/join/", {}, site.new_guest())
    yield "API: join", took
    took, made = site.post("/api/matches/", match | {"listed": True}, site.token)
    yield "API: new listed match by the busiest guest", took
    yield "API: cancel", site.post(f"/api/matches/{made['id']}/cancel/", {}, site.token)[0]
    took, _ = site.post("/api/matches/", match | {"computer": "casual"}, site.token)
    yield "API: new match with the computer", took
    for status in ("your-turn", "finished"):
        address = f"/api/me/matches/?status={status}"
        yield f"API: the busiest guest's matches, {status}", site.get(address, site.token)
    yield "readiness", site.get("/health/ready/")


def sockets(site: Site) -> Figures:
    for path, status in (
        ("match", "open"),
        ("match", "live"),
        ("match", "finished"),
        ("lobby", ""),
    ):
        path = f"{path}/{site.id_of(status)}" if status else path
        began = time.perf_counter()
        with site.connect(path) as socket:
            socket.recv(10)
            took = 1000 * (time.perf_counter() - began)
        yield f"socket: a match, {status}" if status else "socket: lobby", took
    began = time.perf_counter()
    with site.connect("me", site.token) as socket:
        socket.recv(10)
        took = 1000 * (time.perf_counter() - began)
    yield "socket: the busiest guest's matches", took


def playing(site: Site) -> Figures:
    """Play a match of two new players and agree on a rematch."""
    made = site.system.new_matches(1)
    path = f"match/{made['ids'][0]}"
    with site.connect(path, made["tokens"][0]) as one, site.connect(path, made["tokens"][1]) as two:
        board = received(one, "snapshot")
        moves = []
        while not board["outcome"]:
            mover, version = (one, two)[board["turn"] - 1], board["version"]
            move = {"move": random.choice(board["legal"]), "version": version}
            began = time.perf_counter()
            mover.send(json.dumps({"type": "move", **move, "id": f"v{version}"}))
            while board["version"] == version:
                board = received(mover, "update")
            moves.append(1000 * (time.perf_counter() - began))
        yield "a move", median(moves)
        one.send('{"type": "rematch", "id": "a"}')
        received(two, "rematch")
        began = time.perf_counter()
        two.send('{"type": "rematch", "id": "b"}')
        received(two, "rematch")
        yield "a rematch", 1000 * (time.perf_counter() - began)


def received(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while (message := json.loads(socket.recv(10)))["type"] != kind:
        pass
    found: dict[str, Any] = message
    return found


def queries(site: Site) -> Figures:
    for name in repeated_queries():
        yield name, site.query(name)


PARTS: list[Callable[[Site], Figures]] = [pages, api, sockets, playing, queries]


# --- Queries without the server --------------------------------------------------------------


def repeated_queries(filled: dict[str, Any] | None = None) -> dict[str, Callable[[], object]]:
    """Return what a server asks the database by itself, and what it reads for its lists."""
    from games.live import readiness
    from games.matches import cleanup, identity, selectors, services

    filled = filled or {"newest": [], "token": ""}
    newest = filled["newest"]
    busiest = services.guest_with(identity.guest_id_from(filled["token"]) or 0)
    sweeps: list[Iterator[Any]] = []

    def step() -> None:
        from django.utils import timezone

        if not sweeps or next(sweeps[0], None) is None:
            sweeps[:] = [cleanup.steps(timezone.now())]

    return {
        "query: overdue turns of the computer": lambda: selectors.overdue_computer_turns(
            time.time() - 8
        ),
        "query: 20 matches to compare": lambda: selectors.fingerprints(newest[:20]),
        "query: 62 matches for the lobby": lambda: selectors.stored_matches(newest[:62]),
        "query: invitations of the busiest guest": lambda: selectors.open_listed_of(busiest),
        "query: a step of the sweep": step,
        "query: readiness": readiness.write_row,
    }


def answer_queries() -> None:
    """Run the queries named on the standard input; print how many milliseconds each took."""
    set_up_django()
    queries = repeated_queries(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        name = line.strip()
        began = time.perf_counter()
        took: object
        if name == "sweep":
            took = whole_sweep()
        elif name == "plans":
            took = plans(queries)
        else:
            queries[name]()
            took = 1000 * (time.perf_counter() - began)
        print(json.dumps(took), flush=True)


def whole_sweep() -> dict[str, float]:
    """Delete what has expired, without the pauses; return how long that and its steps took."""
    from django.utils import timezone

    from games.matches import cleanup

    took, began = [], time.perf_counter()
    for _ in cleanup.steps(timezone.now()):
        ended = time.perf_counter()
        took.append(1000 * (ended - began))
        began = ended
    return {"steps": len(took), "seconds": sum(took) / 1000, "longest": max(took)}


def plans(queries: dict[str, Callable[[], object]]) -> str:
    """Return how the database finds the rows of each query."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    found = []
    for name, query in queries.items():
        with CaptureQueriesContext(connection) as captured:
            query()
        found.append(f"\n## {name}")
        for one in captured:
            if one["sql"].startswith(("SELECT", "UPDATE")):
                found += [one["sql"][:2000], *plan_of(one["sql"])]
    return "\n".join(found)


def plan_of(sql: str) -> list[str]:
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"EXPLAIN {sql}")
            return [f"    {row[0]}" for row in cursor.fetchall()]
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [f"    {row[3]}" for row in cursor.fetchall()]


def set_up_django() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "numgames_site.settings"
    django.setup()


# --- Running it ------------------------------------------------------------------------------


@contextlib.contextmanager
def filled_site(server: str, matches: int, *, postgresql: bool) -> Iterator[Site]:
    with (
        temporary_folder() as folder,
        data_stores(folder, postgresql=postgresql) as environment,
        complaints(folder, server) as log,
    ):
        began = time.monotonic()
        filling = subprocess.run(
            [sys.executable, "-m", "bench.filling", str(matches)],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            check=True,
            timeout=600,
        )
        filled = json.loads(filling.stdout)
        print(
            f"{filled['matches']:,} matches ({filled['live']:,} live), "
            f"{filled['actions']:,} actions, filled in {time.monotonic() - began:.0f} s",
            file=sys.stderr,
        )
        command = [sys.executable, "-m", "bench.growth", "--answer"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log}
        with (
            serving(server, environment, log) as system,
            running(command, SERVER_CORE, environment, **pipes) as asked,
        ):
            assert asked.stdin is not None
            print(json.dumps(filled), file=asked.stdin, flush=True)
            yield Site(system, filled, lambda name: json.loads(ask(asked, log, name)))


def measure(sites: list[Site], rounds: int) -> dict[str, list[list[float]]]:
    """Return for each figure its values on each site."""
    found: dict[str, list[list[float]]] = {}
    for number in range(-1, rounds):
        for site in sites:
            site.stay()
        # The one that is asked second may find the processor's caches full of the other's data.
        order = sites if number % 2 else sites[::-1]
        for part in PARTS:
            for pair in zip(*(part(site) for site in order), strict=True):
                name = pair[0][0]
                took = [one for _, one in pair]
                if number >= 0:  # the first round warms up
                    values = found.setdefault(name, [[] for _ in sites])
                    for site, one in zip(order, took, strict=True):
                        values[sites.index(site)].append(one)
    return found


def play_many(generator: Generator, sites: list[Site], rounds: int) -> list[list[float]]:
    """Play many matches at once; return the server's CPU time for a move on each site."""
    moves = [Moves() for _ in sites]
    for _ in range(rounds):
        for site, one in zip(sites, moves, strict=True):
            with generator.matches(site.system, PREPARED):
                played = generator.play(AT_ONCE, warmUp=0.2, seconds=1, mostMoves=4000)
            one.add_moves(played)
    return [[one.server_microseconds / 1000] for one in moves]


def run(database: str, chosen: argparse.Namespace) -> None:
    with contextlib.ExitStack() as stack:
        sites = [
            stack.enter_context(
                filled_site(chosen.server, matches, postgresql=database == "postgresql")
            )
            for matches in (SMALL, chosen.matches)
        ]
        if chosen.plans:
            print(sites[-1].query("plans"))
            return
        with contextlib.ExitStack() as listed:
            for site in sites:
                listed.enter_context(site.listed_open())
            found = measure(sites, chosen.rounds)
        generator = stack.enter_context(generating())
        name = f"server's CPU time for a move, {AT_ONCE} matches at once"
        found[name] = play_many(generator, sites, max(1, chosen.rounds // 10))
        sweeps: list[Any] = [site.query("sweep") for site in sites]
    filled = sites[-1].filled
    counts = f"{filled['matches']:,} matches, {filled['actions']:,} actions"
    print(f"\n### {chosen.server}, {database}: {counts}\n")
    table(
        [
            "ms",
            f"{sites[0].filled['matches']:,} matches",
            f"{filled['matches']:,} matches",
            "ratio",
        ],
        (row(name, *map(median, values)) for name, values in found.items()),
    )
    texts = (
        f"{one['steps']} steps, {one['seconds']:.1f} s, longest {one['longest']:.0f} ms"
        for one in sweeps
    )
    print("\nA whole sweep, without its pauses:", "; ".join(texts))


def row(name: str, small: float, large: float) -> list[str]:
    ratio = f"{large / small:.2f}"
    return [
        name,
        f"{small:.2f}",
        f"{large:.2f}",
        ratio if large / small <= GOAL else f"**{ratio}**",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--matches", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--server", default="uvicorn", choices=("uvicorn", "daphne"))
    parser.add_argument("--plans", action="store_true", help="only print the queries' plans")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.answer:
        answer_queries()
        return
    stay_on(LOAD_CORE)
    stop_on_sigterm()
    set_up_django()
    for database in chosen.databases.split(","):
        run(database, chosen)


if __name__ == "__main__":
    main()
