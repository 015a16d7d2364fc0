"""The key that signs what we post to push services."""

import base64
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from numgames_site.push_key import ORDER, encoded, find, make
from tests.site.test_secret_key import GOOD, serve


def test_the_key_is_generated_once_and_only_its_owner_can_read_it(tmp_path):
    path = tmp_path / "push_key"
    made = find(None, None, path)
    assert not made.problem
    assert find(None, None, path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_processes_that_start_at_the_same_time_share_one_key(tmp_path):
    with ThreadPoolExecutor(20) as pool:
        found = pool.map(lambda path: find(None, None, path), [tmp_path / "push_key"] * 100)
        assert len(set(found)) == 1


def test_machines_with_the_same_secret_key_have_the_same_push_key(tmp_path):
    one, two = (find(None, GOOD, tmp_path / name) for name in ("one", "two"))
    assert one == two
    assert not one.problem
    assert find(None, GOOD + "!", tmp_path / "one") != one
    assert not list(tmp_path.iterdir())


def test_a_key_from_the_environment_comes_first(tmp_path):
    key = make()
    assert find(key, GOOD, tmp_path / "push_key") == (key, "")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [1, ORDER - 1])
def test_every_number_below_the_order_of_the_curve_is_a_key(number, tmp_path):
    assert not find(encoded(number), None, tmp_path).problem
    raw = base64.urlsafe_b64decode(encoded(number) + "=")
    ec.derive_private_key(int.from_bytes(raw), ec.SECP256R1())


@pytest.mark.parametrize("key", ["", "a", encoded(0), encoded(ORDER), "é" * 43, "!" * 43, "a" * 44])
def test_what_is_not_a_key_is_a_problem(key, tmp_path):
    assert "NUMGAMES_PUSH_KEY is not a push key" in find(key, None, tmp_path).problem


def test_a_file_that_is_not_a_key_is_a_problem(tmp_path):
    path = tmp_path / "push_key"
    path.write_bytes(b"\xff\x00 not a key")
    assert f"{path} is not a push key" in find(None, None, path).problem
    assert "can't be read" in find(None, None, tmp_path).problem


def test_the_server_refuses_a_bad_key(tmp_path):
    serve(tmp_path, NUMGAMES_PUSH_KEY="short")
