"""Every text a stranger can send is sent as long as it arrives, and costs the server nothing."""

import asyncio
import json
import os
from itertools import cycle
from pathlib import Path

from tests.faults.addresses import ADDRESSES, CSRF, PARAMETER, Line, Site, form
from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.faults.process import memory
from tests.live.client import new_pair

# As much as fits a request: into its body, and into its headers.
BODY, HEADERS = 60_000, 15_000
TIMES = 10
# Seconds of CPU for each request. A page takes up to 5 ms, and its picture's first drawing 60.
CHEAP = 0.015
# MB that the server may grow by, over all of them.
FLAT = 10
# Seconds for the moves of people on the same core, as 99 of 100 stay below.
UNHURT = 0.25

# U+FDFA is a single letter, and eighteen when normalized.
LETTER = "\ufdfa"
JSON = {"Content-Type": "application/json"}
FORM = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Cookie": f"csrftoken={CSRF}",
    "X-CSRFToken": CSRF,
}


def long_text(room):
    return LETTER * (room // len(LETTER.encode()))


def in_path(site, route, name):
    text = "9" * (HEADERS - 500) if name in ("version", "size") else "x" * (HEADERS - 500)
    return "GET", site.path(route, **{name: text}), b"", {}, b""


def in_query(site, route, name):
    return "GET", site.path(route), f"{name}={'9' * (HEADERS - 500)}".encode(), {}, b""


def in_body(site, route, name):
    own = {"Authorization": f"Bearer {site.token}"}
    if not route.startswith("api/"):
        fields = {"game": "chain-factor", name: long_text(BODY // 3)}
        return "POST", site.path(route), b"", {**FORM, **own}, form(fields.items())
    fields = {"game": "chain-factor", name: long_text(BODY)}
    body = json.dumps(fields, ensure_ascii=False).encode()
    method = "PATCH" if route == "api/me/" else "POST"
    return method, site.path(route), b"", {**JSON, **own}, body


def with_options(options):
    def build(site):
        body = json.dumps({"game": "chain-factor", "options": options}, ensure_ascii=False)
        own = {"Authorization": f"Bearer {site.token}"}
        return "POST", "/api/matches/", b"", {**JSON, **own}, body.encode()

    return build


def with_header(name, value, path="/api/matches/"):
    def build(site):
        return "POST", path, b"", {**JSON, name: value}, b'{"game":"chain-factor"}'

    return build


def nested(depth):
    return {"a": nested(depth - 1)} if depth else 1


QUOTED = '"' + '\\"' * (HEADERS // 2) + '"'
OTHERS = {
    "a long option": with_options({long_text(BODY): 1}),
    "a long choice of an option": with_options({"opening": long_text(BODY)}),
    "many options": with_options({str(n): 1 for n in range(5000)}),
    "deep options": with_options(nested(900)),
    "a large number": with_options({"pool": int("9" * 4000)}),
    **{
        f"a quoted cookie {name}": with_header("Cookie", f"{name}={QUOTED}")
        for name in ("guest", "csrftoken", "language", "other")
    },
    "a bearer": with_header("Authorization", "Bearer " + "x" * HEADERS),
    "a scheme": with_header("Authorization", "x" * HEADERS),
    "a CSRF token": with_header("X-CSRFToken", "x" * HEADERS),
    "languages": with_header("Accept-Language", "de-" * (HEADERS // 3), "/new/"),
    "a host": with_header("Host", "x" * HEADERS),
    "a port": with_header("Host", "127.0.0.1:" + "1" * HEADERS),
    "an origin": with_header("Origin", "http://" + "x" * HEADERS),
    "a type": with_header("Content-Type", "application/json;" + "a=b;" * (HEADERS // 4)),
    "encodings": with_header("Accept-Encoding", "gzip," * (HEADERS // 5), "/new/"),
}


def all_requests(site):
    """Return a request for every parameter of every address, and for every header we read."""
    made = {name: build(site) for name, build in OTHERS.items()}
    for route, parameters in ADDRESSES.items():
        for name in PARAMETER.findall(route):
            made[f"/{route}, {name}"] = in_path(site, route, name)
        for name in parameters:
            made[f"/{route}, ?{name}"] = in_query(site, route, name)
            made[f"/{route}, {name} in the body"] = in_body(site, route, name)
    return made


def used(pid):
    """Return the seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_no_long_text_costs_the_server_time_or_memory(alone, measured):
    pid = alone.process.pid
    costs = {}
    with Line(alone.port) as line:
        made = all_requests(Site(alone))
        for sent in [*made.values()] * TIMES:
            line.ask(*sent)  # so that everything is loaded and drawn, in every thread
        before = memory(pid)
        for name, sent in made.items():
            begin = used(pid)
            for _ in range(TIMES):
                status, _, _ = line.ask(*sent)
                assert status < 500, name
            costs[name] = (used(pid) - begin) / TIMES
    dearest = max(costs, key=costs.get)
    measured["texts"] = len(costs)
    measured["dearest"] = f"{dearest}, {costs[dearest] * 1000:.1f} ms of CPU"
    measured["MB before, after"] = round(before), round(memory(pid))
    assert {name: cost for name, cost in costs.items() if cost > CHEAP} == {}
    assert memory(pid) - before < FLAT


async def test_people_play_on_while_long_texts_arrive(alone, measured):
    site = await asyncio.to_thread(Site, alone)
    match_id, one, two = await asyncio.to_thread(
        new_pair, alone, "chain-factor", options={"pool": 100}
    )

    def attack():
        with Line(alone.port) as line:
            made = cycle(all_requests(site).values())
            for _ in range(300):
                line.ask(*next(made))

    async with joined(*(Player(lambda: alone.ws, match_id, token) for token in (one, two))) as both:
        attacking = asyncio.create_task(asyncio.to_thread(attack))
        moves = await play_beside(both, attacking)
        await attacking
    measured["moves"] = len(moves)
    measured["moves, 99 of 100 below"] = p99(moves)
    assert len(moves) > 10
    assert p99(moves) < UNHURT
