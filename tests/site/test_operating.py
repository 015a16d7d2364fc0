"""The instructions in docs/operating.md work."""

import json
import logging
import os
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from numgames_site.logs import BURST, EVERY, JsonLines, Lines, Repeats
from tests.live.client import fresh, new_pair
from tests.serving import ROOT, serving


def manage(data, *arguments):
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "NUMGAMES_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_backup_made_while_the_site_is_running_can_replace_a_lost_database(tmp_path):
    with serving(tmp_path) as server:
        match_id, one, _ = new_pair(server, "number-collapse")
        before = fresh(server, match_id, one)
        done = manage(tmp_path, "backup", tmp_path / "copy.sqlite3")
        assert done.returncode == 0, done.stderr
    for lost in tmp_path.glob("numgames.sqlite3*"):
        lost.unlink()
    (tmp_path / "copy.sqlite3").rename(tmp_path / "numgames.sqlite3")
    with serving(tmp_path) as server:
        assert fresh(server, match_id, one) == before


def test_a_backup_does_not_overwrite_a_file(tmp_path):
    (tmp_path / "dear").write_text("to me")
    done = manage(tmp_path, "backup", tmp_path / "dear")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert (tmp_path / "dear").read_text() == "to me"


def test_the_sweep_reports_what_it_did_while_the_site_is_running(tmp_path):
    with serving(tmp_path):
        done = manage(tmp_path, "sweep")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5


def test_strangers_cannot_fill_the_log(tmp_path):
    """The server checks at the end that its log is empty."""
    with serving(tmp_path) as server:
        for data, headers in (
            ("&".join(f"a{number}=1" for number in range(2000)), {}),  # too many fields
            ("a" * 3_000_000, {}),  # too long
            ("game=chess", {"Origin": "https://evil.example"}),
            ("game=chess", {"Host": "evil.example"}),
            ("game=chess", {}),  # no token
        ):
            with pytest.raises(HTTPError) as refused:
                urlopen(Request(f"{server.http}/new/", data.encode(), headers), timeout=10)
            with refused.value:
                assert refused.value.code in (400, 403, 413)
        odd = Request(server.http, headers={"Daphne-Root-Path": "\xff"})
        with urlopen(odd, timeout=10) as answer:
            assert answer.status == 200


def test_a_client_cannot_put_anything_in_front_of_our_links(tmp_path):
    with serving(tmp_path) as server:
        request = Request(server.http, headers={"Daphne-Root-Path": "//evil.example"})
        with urlopen(request, timeout=10) as answer:
            assert "evil" not in answer.read().decode()


def test_a_message_that_repeats_is_logged_a_few_times(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("games.matches.limits.time.monotonic", lambda: now[0])
    repeats = Repeats()
    same = [
        logging.makeLogRecord({"name": "a", "msg": "Lost %s", "args": (number,)})
        for number in range(100)
    ]
    assert sum(map(repeats.filter, same)) == BURST
    assert repeats.filter(logging.makeLogRecord({"name": "a", "msg": "Found"}))
    now[0] += EVERY
    assert sum(map(repeats.filter, same)) == 1


def test_a_log_line_is_one_json_object_with_message_and_context():
    try:
        raise ValueError("no")
    except ValueError:
        record = logging.makeLogRecord(
            {"msg": "It %s", "args": ("broke",), "match": "abc", "exc_info": sys.exc_info()}
        )
    line = JsonLines().format(record)
    assert "\n" not in line
    read = json.loads(line)
    assert (read["message"], read["match"]) == ("It broke", "abc")
    assert "ValueError: no" in read["exception"]


def test_a_message_of_several_lines_is_logged_as_one_line():
    record = logging.makeLogRecord({"msg": "closed:\n\tThis means\n\tsomething.", "name": "pool"})
    assert Lines().format(record).endswith("pool: closed: This means something.")
