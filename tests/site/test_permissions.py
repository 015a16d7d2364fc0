"""Others on the machine can read the static files, and nothing else that the site makes."""

import os
import signal

import pytest

from tests.live.client import connected, new_pair
from tests.serving import Server, serving
from tests.site.test_operating import manage


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path):
    return path.stat().st_mode & 0o777


async def play(server):
    match_id, one, _ = new_pair(server)
    async with connected(server, match_id, one) as client:
        await client.played(6)


@pytest.mark.usefixtures("umask")
async def test_only_the_owner_can_read_what_the_site_makes(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    with serving(data) as server:
        await play(server)
        assert manage(data, "backup", data / "copy.sqlite3").returncode == 0
        made = {path.name: mode(path) for path in data.iterdir()}
        del made["server.log"], made["static"]
        assert {
            "push_key",
            "secret_key",
            "numgames.sqlite3",
            "numgames.sqlite3-wal",
            "numgames.sqlite3-shm",
            "numgames.sqlite3.serving.lock",
            "copy.sqlite3",
        } <= made.keys()
        assert made == dict.fromkeys(made, 0o600)


@pytest.mark.usefixtures("umask")
def test_everybody_can_read_the_static_files(tmp_path):
    with serving(tmp_path):
        pass
    static = tmp_path / "static"
    found = [static, *static.rglob("*")]
    assert any(path.suffix == ".gz" for path in found)
    unreadable = [path for path in found if mode(path) & 0o044 != 0o044]
    assert not unreadable


async def test_files_of_an_earlier_version_are_tightened(tmp_path):
    killed = Server(tmp_path)
    await play(killed)
    killed.end(signal.SIGKILL)
    database = [f"numgames.sqlite3{beside}" for beside in ("", "-wal", "-shm")]
    files = [tmp_path / name for name in ("secret_key", *database)]
    for path in files:
        path.chmod(0o644)
    with serving(tmp_path) as server:
        await play(server)
        assert [mode(path) for path in files] == [0o600] * len(files)


def test_a_backup_that_fails_leaves_no_file(tmp_path):
    (tmp_path / "numgames.sqlite3").write_text("This is no database." * 1000)
    done = manage(tmp_path, "backup", tmp_path / "copy.sqlite3")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "copy.sqlite3").exists()


def test_a_backup_to_a_folder_that_does_not_exist_is_refused(tmp_path):
    done = manage(tmp_path, "backup", tmp_path / "nowhere" / "copy.sqlite3")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
