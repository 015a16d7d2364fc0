"""The disk is full or the data folder is gone: probes are told, and recover with it."""

import asyncio
import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg
import pytest

from tests.datastores import postgresql
from tests.faults.beside import p99, play_beside
from tests.faults.player import Player, joined
from tests.live.client import new_pair
from tests.serving import Server, serving

MOUNTING = "Only root can mount a small disk for this test."
# How many strangers ask at once, and for how many seconds.
STRANGERS, SECONDS = 20, 3


def ready(server):
    """Return whether a server is ready and what it says."""
    try:
        with urlopen(f"{server.http}/health/ready/", timeout=10) as answer:
            return answer.status == 200, ""
    except HTTPError as error:
        with error:
            return False, json.load(error)["text"]


def until_ready(server, wanted):
    """Wait until the server says that it is ready, or isn't; return what it says."""
    until = time.monotonic() + 10
    while (found := ready(server))[0] != wanted:
        assert time.monotonic() < until, found
        time.sleep(0.1)
    return found[1]


@contextmanager
def mounted(folder, *options):
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip(MOUNTING)
    done = subprocess.run([mount, *options, str(folder)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{MOUNTING} {done.stderr}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(folder):
    with (folder / "filler").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 4096)


def test_a_full_disk_is_reported_until_there_is_room_again(tmp_path):
    with mounted(tmp_path, "-t", "tmpfs", "-o", "size=16m", "tmpfs"), serving(tmp_path) as server:
        server.expected.append("Not ready: data folder")
        assert ready(server) == (True, "")
        fill(tmp_path)
        assert "data folder" in until_ready(server, False)
        (tmp_path / "filler").unlink()
        until_ready(server, True)


def test_a_full_disk_of_the_database_alone_is_reported(tmp_path):
    disk, data = tmp_path / "disk", tmp_path / "data"
    disk.mkdir()
    data.mkdir()
    with (
        mounted(disk, "-t", "tmpfs", "-o", "size=4m", "tmpfs"),
        serving(data, DATABASE_URL=f"sqlite:///{disk}/numgames.sqlite3") as server,
    ):
        server.expected.append("Not ready: database folder")
        assert ready(server) == (True, "")
        fill(disk)
        assert until_ready(server, False) == "Not ready: database folder."
        (disk / "filler").unlink()
        until_ready(server, True)


def test_a_data_folder_that_was_removed_is_reported(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    server = Server(data)
    try:
        assert ready(server) == (True, "")
        data.rename(tmp_path / "elsewhere")
        assert until_ready(server, False) == "Not ready: data folder, database."
        (tmp_path / "elsewhere").rename(data)
        until_ready(server, True)
    finally:
        server.end()


def test_a_data_folder_that_became_read_only_is_reported(tmp_path):
    with serving(tmp_path) as server:
        server.expected.append("Not ready: data folder")
        assert ready(server) == (True, "")
        with mounted(tmp_path, "--bind", "-o", "ro", str(tmp_path)):
            assert "data folder" in until_ready(server, False)
        until_ready(server, True)


def test_a_postgresql_that_accepts_no_writes_is_reported(tmp_path):
    # If the tests run as root, PostgreSQL runs as another user, who can't open pytest's folders.
    with (
        TemporaryDirectory() as folder,
        postgresql(Path(folder)) as url,
        psycopg.connect(url, autocommit=True) as administrator,
        serving(tmp_path, DATABASE_URL=url) as server,
    ):
        server.expected += ["Not ready: database", "read-only transaction"]
        assert ready(server) == (True, "")
        administrator.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        administrator.execute("SELECT pg_reload_conf()")
        assert until_ready(server, False) == "Not ready: database."
        administrator.execute("SET default_transaction_read_only = off")
        administrator.execute("ALTER SYSTEM RESET default_transaction_read_only")
        administrator.execute("SELECT pg_reload_conf()")
        until_ready(server, True)


async def test_players_do_not_notice_strangers_who_ask_all_the_time(alone, measured):
    match_id, *tokens = await asyncio.to_thread(
        new_pair, alone, "chain-factor", options={"pool": 100}
    )
    until = time.monotonic() + SECONDS

    def ask():
        asked = 0
        while time.monotonic() < until:
            assert ready(alone) == (True, "")
            asked += 1
            time.sleep(0.05)
        return asked

    async with joined(*(Player(lambda: alone.ws, match_id, token) for token in tokens)) as players:
        asking = asyncio.gather(*(asyncio.to_thread(ask) for _ in range(STRANGERS)))
        moves = await play_beside(players, asking)
        measured["answers"] = sum(await asking)
    measured["moves, p99, slowest"] = [len(moves), p99(moves), max(moves)]
    assert p99(moves) < 0.1
