"""No query takes longer the more matches there are."""

import os
import subprocess
import sys

import pytest

from games.models import Match
from tests.datastores import postgresql
from tests.matches.plans import slow_queries
from tests.serving import ROOT


@pytest.mark.django_db(transaction=True)
def test_no_query_looks_at_all_rows_of_a_table_on_sqlite():
    assert slow_queries() == {}


@pytest.mark.django_db(transaction=True)
def test_a_query_that_looks_at_all_rows_is_found(monkeypatch):
    monkeypatch.setattr(
        "games.matches.selectors.computer_ids",
        lambda: list(Match.objects.filter(game="chain-factor").values_list("winner", flat=True)),
    )
    (plan,) = slow_queries().values()
    assert plan == ["SCAN games_match"]


def test_no_query_looks_at_all_rows_of_a_table_on_postgresql(tmp_path):
    with postgresql(tmp_path) as url:
        done = subprocess.run(
            [sys.executable, "-m", "tests.matches.plans"],
            cwd=ROOT,
            env={**os.environ, "NUMGAMES_DATA": str(tmp_path), "DATABASE_URL": url},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
