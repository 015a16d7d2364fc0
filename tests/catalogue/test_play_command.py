"""`manage.py play`: the real command, with input from a pipe or a terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.catalogue import KITS
from games.rules import GAMES
from tests.games import folder_of

ROOT = Path(__file__).parent.parent.parent


def play(*arguments, entries="", **keywords):
    return subprocess.run(
        [sys.executable, "manage.py", "play", *arguments],
        cwd=ROOT,
        input=entries if isinstance(entries, bytes) else entries.encode(),
        capture_output=True,
        timeout=60,
        **keywords,
    )


@pytest.mark.parametrize("slug", GAMES)
def test_an_example_matches_its_golden_transcript(slug):
    grid = "".join(map(str, KITS[slug].example.grid))
    entries = "\n".join(map(str, KITS[slug].example.entries)) + "\n"
    done = play(slug, *(["--grid", grid] if grid else []), entries=entries)
    assert done.stdout.decode() == (folder_of(slug) / "transcript.txt").read_text()
    assert done.stderr == b""
    assert done.returncode == 0
    assert re.match(r"Player [12] wins: ", done.stdout.decode().splitlines()[-1])


def test_a_wrong_entry_gets_a_reason_and_another_prompt():
    done = play("number-blossoms", entries="six\n\n12\n6\n6\n5\n7\npass\n2\n3\nPaSs\n")
    refusals = [
        "A move is a whole number or the word pass, not six.".replace("six", '"six"'),
        'A move is a whole number or the word pass, not "".',
        "The numbers go from 1 to 9, and 12 isn't one of them.",
        "6 has already left the pool.",
        "7 and your centre 6 share no factor greater than 1.",
        "You can't pass while a petal fits your centre 6: 2, 3, 4, 8, 9.",
        "3 and your centre 5 share no factor greater than 1. No number in the pool does, "
        "so you must pass.",
    ]
    lines = done.stdout.decode().splitlines()
    assert [line for line in lines if line in refusals] == refusals
    assert "Player 2 passed." in lines


def test_end_of_input_exits_cleanly():
    done = play("chain-factor", entries="7\n")
    assert done.returncode == 1
    assert done.stderr == b""
    assert done.stdout.decode().endswith("\nThe match was left unfinished.\n")


def test_invalid_bytes_and_huge_numbers_are_treated_as_wrong_entries():
    done = play("number-tower-duel", entries=b"\xff\xfe\n" + b"9" * 6000 + b"\n-3\n\xc2\xb2\n6\n")
    assert done.stderr == b""
    assert "Player 1 placed 6" in done.stdout.decode()


def test_ctrl_c_exits_cleanly():
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "play", "number-eliminator"],
        cwd=ROOT,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        # As in a shell, the program leads a session that has this terminal, and receives Ctrl-C.
        # The default handler is restored because the tests may run in the background, where a shell
        # makes programs ignore Ctrl-C.
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal)
    shown = read_until(keyboard, b"cross off: ")
    wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    shown += read_until(keyboard, b"unfinished.")
    assert process.wait(timeout=30) == 1
    os.close(keyboard)
    assert b"The match was left unfinished." in shown
    assert b"Traceback" not in shown


def wait_until_it_reads(process):
    """Wait until the process reads from the keyboard. If the signal came between the prompt and the
    read, it would only be noticed at the next key."""
    call = Path(f"/proc/{process.pid}/syscall")
    # The number of the system call, and its first argument: file 0, the standard input.
    while not re.match(r"\d+ 0x0 ", call.read_text()):
        time.sleep(0.01)


def read_until(terminal, expected, seconds=30):
    shown = b""
    while expected not in shown:
        assert select.select([terminal], [], [], seconds)[0], shown
        shown += os.read(terminal, 1024)
    return shown


def first_board(*arguments):
    return play("number-collapse", *arguments).stdout.decode().splitlines()[2:5]


def test_a_seed_makes_the_shuffle_repeatable():
    assert first_board("--seed", "5") == first_board("--seed", "5")
    assert first_board("--seed", "5") != first_board("--seed", "6")


def test_a_grid_may_have_commas_and_four_rows():
    grid = ",".join(map(str, range(1, 17)))
    assert first_board("--grid", grid)[0] == "[ 1][ 2][ 3][ 4]"


@pytest.mark.parametrize("grid", ["15962873", "159628733", "abc", "", "1,,2", "1,2,3", "0" * 9])
def test_a_malformed_grid_exits_with_one_sentence_and_status_2(grid):
    done = play("number-collapse", f"--grid={grid}")
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.decode().splitlines()) == 1


def test_a_grid_for_another_game_is_refused():
    done = play("chain-factor", "--grid", "159628734")
    assert done.returncode == 2
    assert b"has no grid" in done.stderr


def test_for_an_unknown_game_the_error_lists_the_known_ones():
    done = play("chess")
    assert done.returncode == 2
    assert all(slug.encode() in done.stderr for slug in GAMES)


def test_it_works_without_any_setup(tmp_path):
    data = tmp_path / "not" / "yet"
    done = play("number-tower-duel", entries="5\n1\n7\n", env={"NUMGAMES_DATA": str(data)})
    assert done.returncode == 0
    assert (data / "secret_key").stat().st_mode & 0o777 == 0o600
