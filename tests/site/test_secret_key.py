"""The secret key of an installation."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from deploy.cluster import documented_settings
from numgames_site.secret_key import find
from tests.serving import ROOT


def test_the_key_is_generated_once_and_only_its_owner_can_read_it(tmp_path):
    path = tmp_path / "secret_key"
    made = find(None, path)
    assert len(made.key) >= 50
    assert not made.problem
    assert find(None, path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_processes_that_start_at_the_same_time_share_one_key(tmp_path):
    with ThreadPoolExecutor(20) as pool:
        keys = set(pool.map(lambda path: find(None, path), [tmp_path / "secret_key"] * 100))
    assert len(keys) == 1
    assert not keys.pop().problem


GOOD = "kZ8-3vX_pQ7" * 5


def test_a_key_from_the_environment_is_used_and_nothing_is_written(tmp_path):
    assert find(GOOD, tmp_path / "secret_key") == (GOOD, "")
    assert not list(tmp_path.iterdir())


def test_a_file_that_ends_with_a_line_break_is_a_key_too(tmp_path):
    (tmp_path / "secret_key").write_text(GOOD + "\n")
    assert not find(None, tmp_path / "secret_key").problem


def serve(
    data, command=("manage.py", "serve", "--host", "127.0.0.1", "--port", "0"), **environment
):
    """Start a server that should refuse to run; return what it said."""
    inherited = {name: os.environ[name] for name in os.environ if name != "NUMGAMES_SECRET_KEY"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**inherited, "NUMGAMES_DATA": str(data), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert not done.stdout
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "key",
    ["", " " * 60, "short", GOOD[:49], "ab" * 40, documented_settings()["NUMGAMES_SECRET_KEY"]],
    ids=["empty", "blank", "short", "a bit short", "the same again", "the sample's"],
)
def test_a_weak_key_is_refused_in_one_sentence(tmp_path, key):
    said = serve(tmp_path, NUMGAMES_SECRET_KEY=key)
    assert "NUMGAMES_SECRET_KEY" in said
    assert not key.strip() or key not in said


def test_a_server_started_in_another_way_refuses_a_weak_key_too(tmp_path):
    daphne = ("-m", "daphne", "--port", "0", "numgames_site.asgi:application")
    assert "NUMGAMES_SECRET_KEY" in serve(tmp_path, daphne, NUMGAMES_SECRET_KEY="short")


def make_empty(path):
    path.touch()


def make_short(path):
    path.write_text("short")


def make_binary(path):
    path.write_bytes(bytes(range(256)))


def make_long(path):
    path.write_text(GOOD * 1000)


def make_endless(path):
    path.symlink_to("/dev/zero")


def make_dangling(path):
    path.symlink_to(path.parent / "nothing")


def make_unreadable(path):
    # Reading from the start of a process's memory fails, for root too.
    path.symlink_to("/proc/self/mem")


@pytest.mark.parametrize(
    "make",
    [
        make_empty,
        make_short,
        make_binary,
        make_long,
        make_endless,
        make_dangling,
        make_unreadable,
        os.mkdir,
        os.mkfifo,
    ],
)
def test_a_file_that_is_no_key_is_refused_in_one_sentence_and_left_alone(tmp_path, make):
    path = tmp_path / "secret_key"
    make(path)
    before = path.lstat()
    assert str(path) in serve(tmp_path)
    assert path.lstat().st_mtime == before.st_mtime


def test_commands_that_sign_nothing_work_without_a_good_key(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "NUMGAMES_DATA": str(tmp_path), "NUMGAMES_SECRET_KEY": ""},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_https_without_a_host_name_is_refused(tmp_path):
    assert "NUMGAMES_HOSTS" in serve(tmp_path, NUMGAMES_HTTPS="1", NUMGAMES_SECRET_KEY=GOOD)


def test_a_data_folder_that_is_not_one_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    assert str(tmp_path / "file") in serve(tmp_path / "file")
    assert str(tmp_path / "file") in serve(tmp_path / "file", NUMGAMES_SECRET_KEY=GOOD)
