"""Several processes on one database need Redis."""

import fcntl
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.datastores import postgresql, redis
from tests.live.client import page
from tests.serving import ROOT, serving


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database_url(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "sqlite":
        yield f"sqlite:///{folder}/shared.sqlite3"
    else:
        with postgresql(folder) as url:
            yield url


def refusal(command, data, **environment):
    """Start a process that should refuse to run; return its output."""
    data.mkdir(exist_ok=True)
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "NUMGAMES_DATA": str(data), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    return ended.stdout + ended.stderr


SERVE = ("manage.py", "serve", "--host", "127.0.0.1", "--port", "0")
DAPHNE = ("-m", "daphne", "--port", "0", "numgames_site.asgi:application")


def test_a_second_process_without_redis_refuses_to_start_and_says_why(database_url, tmp_path):
    with serving(tmp_path, DATABASE_URL=database_url):
        for command in (SERVE, DAPHNE):
            said = refusal(command, tmp_path / "second", DATABASE_URL=database_url)
            assert "REDIS_URL" in said
    # Once the first has stopped, another can start.
    with serving(tmp_path, DATABASE_URL=database_url):
        pass


def test_the_lock_is_held_from_the_announcement_until_the_server_answers(tmp_path):
    """The process that prints the address is replaced by the server, which keeps the lock."""
    url = f"sqlite:///{tmp_path}/shared.sqlite3"
    with serving(tmp_path, DATABASE_URL=url) as server, ThreadPoolExecutor() as pool:
        answered = pool.submit(page, server, "/health/alive/")
        lock, tries = os.open(tmp_path / "shared.sqlite3.serving.lock", os.O_RDWR), 0
        while not answered.done():
            with pytest.raises(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            tries += 1
        os.close(lock)
        assert answered.result()[0] == 200
        assert tries


def test_a_process_without_redis_cannot_join_processes_that_have_it(database_url, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with redis() as url:
        settings = {"DATABASE_URL": database_url, "REDIS_URL": url}
        with serving(tmp_path / "one", **settings), serving(tmp_path / "two", **settings):
            assert "REDIS_URL" in refusal(SERVE, tmp_path / "three", DATABASE_URL=database_url)


def test_a_database_that_does_not_answer_is_reported(tmp_path):
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    assert "DATABASE_URL" in refusal(SERVE, tmp_path / "x", DATABASE_URL=nowhere)
