"""The secret key of an installation."""

from concurrent.futures import ThreadPoolExecutor

from numgames_site.secret_key import read_or_make


def test_the_key_is_generated_once_and_only_its_owner_can_read_it(tmp_path):
    path = tmp_path / "secret_key"
    key = read_or_make(path)
    assert len(key) >= 50
    assert read_or_make(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_processes_that_start_at_the_same_time_share_one_key(tmp_path):
    with ThreadPoolExecutor(20) as pool:
        keys = set(pool.map(read_or_make, [tmp_path / "secret_key"] * 100))
    assert len(keys) == 1
